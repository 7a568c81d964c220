import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config.ts';
import { type Collector, openLedger, startCollector } from '../../../collector/main.ts';
import { liveEventId } from '../../../extension/record/event-id.ts';
import { turn } from '../projections/given.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { get, post } from '../support/ledger.ts';

const home = join(temporaryDirectory(), 'home');
let running: Collector | null = null;
afterEach(async () => running?.stop());

const dayMs = 86_400_000;
const turnDaysAgo = (days: number) => {
  const at = new Date(Date.now() - days * dayMs).toISOString();
  return { ...turn(at), id: liveEventId(Date.parse(at)) };
};

describe('a collector with retentionDays', () => {
  it('seals what is older by itself, and reports as before', async () => {
    mkdirSync(home);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retentionDays: 30, import: false }));
    const config = loadCollectorConfig({ PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0' });
    const before = await openLedger(config);
    await post(before, [turnDaysAgo(40), turnDaysAgo(32), turnDaysAgo(1)]);
    const report = (await get(before, '/v1/usage?by=day')).text;
    await before.close();

    running = await startCollector(config, { logStream: null });
    const { url } = running;
    const floor = new Date((Math.floor(Date.now() / dayMs) - 30) * dayMs).toISOString();
    await expect.poll(async () => (await fetch(`${url}/v1/seal`)).json()).toEqual({ floor });
    const log = async () => (await (await fetch(`${url}/v1/log`)).json()) as { rows: { event: { type: string } }[] };
    const turns = async () => (await log()).rows.filter(({ event }) => event.type === 'pi.turn.completed.v1');
    await expect.poll(turns).toHaveLength(1);
    expect(await (await fetch(`${url}/v1/usage?by=day`)).text()).toBe(report);
  });
});
