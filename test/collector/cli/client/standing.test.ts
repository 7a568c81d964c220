import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import type { CollectorConfig } from '../../../../collector/config/config.ts';
import { type Collector, startCollector } from '../../../../collector/main.ts';
import { waitMsMax } from '../../../support/bounds.ts';
import { turn } from '../../projections/support/given.ts';
import { batchType, ledgerHomes } from '../../support/ledger.ts';

const homes = ledgerHomes();
let running: Collector | null = null;
afterEach(async () => running?.stop());

async function started(): Promise<CollectorConfig> {
  const config = { ...homes.config(), import: false };
  running = await startCollector(config, { logStream: null });
  return config;
}

async function run(config: CollectorConfig, ...argv: string[]) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const env = { PI_LEDGER_HOME: config.home, HOME: config.home };
  const now = () => new Date();
  const print = (line: string) => printed.push(line);
  const code = await main(argv, {
    env,
    columns: null,
    colour: false,
    now,
    print,
    complain: (line) => complained.push(line),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

async function send(...events: object[]): Promise<void> {
  const sent = await fetch(`${running?.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': batchType },
    body: JSON.stringify(events),
  });
  expect(await sent.json()).toMatchObject({ accepted: events.length });
}

/** Changes the store behind the collector's back. */
function change(config: CollectorConfig, sql: (generation: number) => string): void {
  const database = new DatabaseSync(config.store.address, { timeout: waitMsMax });
  const live = database
    .prepare("SELECT id FROM view_generations WHERE projection = 'sessions' AND live = 1")
    .get() as { id: number };
  database.exec(sql(live.id));
  database.close();
}

const at = (minute: number) => new Date(Date.now() - minute * 60_000).toISOString();

/** They show figures of views; some of them as CSV, too. */
const lists = ['report', 'sessions', 'models', 'compactions', 'requests'];
const answers = ['sessions show last', 'context last', 'quota', 'budgets'];

describe('commands that show figures', () => {
  it('say that views do not advance, since when and why, and exit 1', async () => {
    const config = await started();
    await send(turn(at(3)));
    expect((await run(config, 'report')).code).toBe(0);
    change(
      config,
      (id) =>
        `CREATE TRIGGER odd BEFORE INSERT ON view_${id}_documents
        BEGIN SELECT RAISE(ABORT, 'odd store'); END`,
    );
    const before = new Date().toISOString().slice(0, 13);
    await send(turn(at(1), {}, 'another session'));
    for (const command of [...lists, ...answers]) {
      const { code, printed } = await run(config, ...command.split(' '));
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(printed).toContain(`BEHIND: events received since ${before}`);
      expect(printed).toContain('odd store');
      const { code: jsonCode, printed: json } = await run(config, ...command.split(' '), '--json');
      expect([jsonCode, JSON.parse(json).notes]).toEqual([1, [expect.stringContaining('BEHIND')]]);
    }
    for (const command of lists)
      expect(await run(config, command, '--csv')).toMatchObject({
        code: 1,
        complained: expect.stringContaining('BEHIND'),
      });
    const doctor = await run(config, 'doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.printed).toMatch(/views +BAD +.*odd store/);
    change(config, () => 'DROP TRIGGER odd');
    await expect.poll(async () => (await run(config, 'report')).code).toBe(0);
  });

  it('say that events were set aside, and exit 1; the doctor names them', async () => {
    const config = await started();
    await send(turn(at(3)));
    expect((await run(config, 'sessions')).code).toBe(0);
    change(
      config,
      (id) => `CREATE TABLE view_${id}_set_aside (
          position INTEGER PRIMARY KEY, event_id TEXT NOT NULL, reason TEXT NOT NULL
        ) STRICT;
        INSERT INTO view_${id}_set_aside VALUES (7, 'the-id', 'too odd')`,
    );
    for (const command of ['report', 'sessions']) {
      const { code, printed } = await run(config, command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(printed).toContain('LOW: 1 event could not be processed');
    }
    const doctor = await run(config, 'doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.printed).toMatch(/views +BAD +.*the-id at position 7: too odd/);
  });

  it('say that the store is gone from under the collector, and exit 1', async () => {
    const config = await started();
    await send(turn(at(3)));
    expect((await run(config, 'report')).code).toBe(0);
    rmSync(join(config.home, 'ledger.db'));
    for (const command of [...lists, ...answers]) {
      const { code, printed } = await run(config, ...command.split(' '));
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(printed).toMatch(/BEHIND: no new events are accepted\. .*removed or replaced/);
      expect(printed.match(/BEHIND/g)).toHaveLength(1);
    }
  });
});

describe('doctor', () => {
  it('asks whether the collector is ready, the dead letters and the disk', async () => {
    const config = await started();
    const well = await run(config, 'doctor');
    expect(well.printed).toMatch(/views +ok/);
    expect(well.printed).toMatch(/refused +ok/);
    expect(well.printed).toMatch(/disk +(ok|-|BAD) +.* free/);
    const sent = await fetch(`${running?.url}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': batchType },
      body: '[{"type":"odd"}]',
    });
    expect(await sent.json()).toMatchObject({ accepted: 0 });
    const ill = await run(config, 'doctor');
    expect(ill.code).toBe(1);
    expect(ill.printed).toMatch(/refused +BAD +1 event/);
  });
});
