import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { type Collector, openLedger, startCollector } from '../../../collector/main.ts';
import { confirmingDays } from '../../../collector/seal/log-time.ts';
import { liveEventId } from '../../../core/record/identity/event-id.ts';
import { turn } from '../projections/support/given.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { get, post } from '../support/ledger.ts';

const directory = temporaryDirectory();
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(directory, 'home-'));
});
let running: Collector | null = null;
afterEach(async () => running?.stop());

const dayMs = 86_400_000;
const turnDaysAgo = (days: number) => {
  const at = new Date(Date.now() - days * dayMs).toISOString();
  return { ...turn(at), id: liveEventId(Date.parse(at)) };
};

describe('a collector with retentionDays', () => {
  it('seals what is older by itself, and reports as before', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retentionDays: 30, import: false }));
    const config = loadCollectorConfig({ PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0' });
    const before = await openLedger(config);
    // The days that confirm the time; the newest is yesterday.
    const week = Array.from({ length: confirmingDays }, (_, index) => turnDaysAgo(index + 1));
    await post(before, [turnDaysAgo(50), turnDaysAgo(42), ...week]);
    const report = (await get(before, '/v1/usage?by=day')).text;
    await before.close();

    running = await startCollector(config, { logStream: null });
    const { url } = running;
    const floor = new Date(
      (Math.floor(Date.now() / dayMs) - confirmingDays - 30) * dayMs,
    ).toISOString();
    await expect.poll(async () => (await fetch(`${url}/v1/seal`)).json()).toEqual({ floor });
    const log = async () =>
      (await (await fetch(`${url}/v1/log`)).json()) as { rows: { event: { type: string } }[] };
    const turns = async () =>
      (await log()).rows.filter(({ event }) => event.type === 'pi.turn.completed.v1');
    await expect.poll(turns).toHaveLength(week.length);
    expect(await (await fetch(`${url}/v1/usage?by=day`)).text()).toBe(report);
  });

  it('keeps its history through a start with clocks ten years ahead, agents included', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ retentionDays: 365, import: false }));
    const config = loadCollectorConfig({ PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0' });
    const before = await openLedger(config);
    const year = Array.from({ length: 360 }, (_, index) => turnDaysAgo(index));
    await post(before, year);
    await before.close();

    const aheadMs = 3_653 * dayMs;
    const logged: string[] = [];
    const logStream = { write: (line: string) => logged.push(line) };
    running = await startCollector(config, { logStream, now: () => Date.now() + aheadMs });
    const { url } = running;
    const wrong = Array.from({ length: 20 }, () => turnDaysAgo(-aheadMs / dayMs));
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const sent = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(wrong),
    });
    expect(await sent.json()).toMatchObject({ accepted: 20 });
    await running.stop();
    // It checks at each start: now with the wrong events in the log, and again once the clock is
    // right.
    running = await startCollector(config, { logStream, now: () => Date.now() + aheadMs });
    await running.stop();
    running = await startCollector(config, { logStream });
    await expect.poll(() => logged.join('')).toContain('History was not sealed.');
    const kept = (await (await fetch(`${running.url}/v1/log?limit=1000`)).json()) as {
      rows: { event: { type: string } }[];
    };
    expect(kept.rows.filter(({ event }) => event.type === 'pi.turn.completed.v1')).toHaveLength(
      year.length + wrong.length,
    );
  });
});
