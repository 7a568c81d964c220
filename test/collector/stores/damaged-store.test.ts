import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import type { CollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { liveEventId } from '../../../core/record/identity/event-id.ts';
import { turn } from '../projections/support/given.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

const at = '2026-11-22T10:00:00.000Z';
const now = () => Date.parse('2026-11-22T12:00:00.000Z');

async function open(config: CollectorConfig): Promise<Ledger> {
  const ledger = await openLedger(config, { now });
  opened.push(ledger);
  return ledger;
}

function pathOf({ store }: CollectorConfig): string {
  return store.address;
}

/** A closed store of a number of turns, one nano-dollar each. */
async function storeOf(turns: number): Promise<{ config: CollectorConfig; ids: string[] }> {
  const config = homes.config();
  const ledger = await openLedger(config, { now });
  const events = Array.from({ length: turns }, (_, index) => turn(at, {}, `s${index % 7}`));
  for (let from = 0; from < turns; from += 1_000)
    await post(ledger, events.slice(from, from + 1_000));
  await ledger.subscription.catchUp();
  await ledger.close();
  return { config, ids: events.map(({ id }) => id) };
}

function change(config: CollectorConfig, sql: string): void {
  const database = new DatabaseSync(pathOf(config));
  database.exec(sql);
  database.close();
}

async function run(config: CollectorConfig, ...argv: string[]) {
  const lines: string[] = [];
  const env = { PI_LEDGER_HOME: config.home, HOME: config.home };
  const print = (line: string) => lines.push(line);
  const code = await main(argv, {
    env,
    columns: null,
    colour: false,
    now: () => new Date(now()),
    print,
    complain: print,
  });
  return { code, text: lines.join('\n') };
}

async function recordsOf(ledger: Ledger): Promise<number> {
  return (await get(ledger, '/v1/usage')).json().total.records;
}

describe('a damaged row of the log', () => {
  it.each([
    [
      'text that is not JSON',
      "event = substr(event, 1, 40) || char(1) || 'x'",
      'it is no longer JSON',
    ],
    ['JSON that is no event', "event = 'null'", 'it belongs to another event'],
    [
      'an event without its subject',
      'event = replace(event, \'"subject"\', \'"sUbject"\')',
      'it is no longer an event',
    ],
    [
      'the text of another event',
      'event = (SELECT event FROM events WHERE position = 3)',
      'it belongs to another event',
    ],
  ])(
    'is named and set aside, and stops neither a rebuild nor what comes after it: %s',
    async (_what, set, damage) => {
      const { config, ids } = await storeOf(30);
      change(config, `UPDATE events SET ${set} WHERE position = 12`);
      const ledger = await open(config);
      for (const { projection } of await ledger.subscription.state()) {
        expect(
          (await ledger.app.inject({ method: 'POST', url: `/v1/rebuild/${projection}` }))
            .statusCode,
        ).toBe(200);
      }
      await post(ledger, [turn(at)]);
      expect(await recordsOf(ledger)).toBe(30);
      const { warnings } = (await get(ledger, '/health/ready')).json();
      expect(warnings[0]).toContain(`${ids[11]} at position 12: Its text is damaged: ${damage}`);
      const { rows } = (await get(ledger, '/v1/log?limit=100')).json() as {
        rows: { position: number }[];
      };
      expect(rows.map(({ position }) => position)).toEqual(
        Array.from({ length: 31 }, (_, index) => index + 1).filter((each) => each !== 12),
      );
      const doctor = await run(config, 'doctor', '--deep');
      expect(doctor.code).toBe(1);
      expect(doctor.text).toContain(`${ids[11]} at position 12`);
    },
  );

  it('is passed over where a whole page of the file is', async () => {
    const { config, ids } = await storeOf(400);
    const path = pathOf(config);
    change(config, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(path);
    // Finds the page with the text of the row by its id; the index of ids has another page.
    const needle = `"id":"${ids[200]}"`;
    const page = Math.floor(bytes.indexOf(needle) / 8_192);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(8_192, 0xee), 0, 8_192, page * 8_192);
    closeSync(file);

    const deep = await run(config, 'doctor', '--deep');
    expect(deep.code).toBe(1);
    expect(deep.text).toMatch(
      new RegExp(`${ids[200]} at position 201: The page of the file that holds it is damaged`),
    );
    const ledger = await open(config);
    expect(
      (await ledger.app.inject({ method: 'POST', url: '/v1/rebuild/sessions' })).statusCode,
    ).toBe(200);
    const records = await recordsOf(ledger);
    expect(records).toBeGreaterThan(350);
    expect(records).toBeLessThan(400);
    const [sessions] = await ledger.subscription.state();
    expect(sessions?.setAside.count).toBe(400 - records);
    const report = await run(config, 'report');
    expect(report).toMatchObject({ code: 1, text: expect.stringContaining('LOW') });
  });
});

describe('a damaged part of a seal', () => {
  it('ends a rebuild in words, and the views stay', async () => {
    const config = homes.config();
    const sent = ['2026-11-10', '2026-11-12'].map((day) => {
      const time = `${day}T08:00:00.000Z`;
      return { ...turn(time, {}), id: liveEventId(Date.parse(time)) };
    });
    const before = await open(config);
    await post(before, sent);
    await before.app.inject({
      ...{ method: 'POST', url: '/v1/seal', payload: { before: '2026-11-12' } },
    });
    await opened.pop()?.close();
    change(config, "UPDATE events SET event = '{' WHERE event LIKE '%pi.history.sealed.v1%'");
    const ledger = await open(config);
    const rebuilt = await ledger.app.inject({ method: 'POST', url: '/v1/rebuild/sessions' });
    expect([rebuilt.statusCode, JSON.parse(rebuilt.body)]).toEqual([
      503,
      { code: 'store_damaged', message: expect.stringContaining('damaged or missing') },
    ]);
    expect(await recordsOf(ledger)).toBe(2);
  });
});

describe('doctor --deep', () => {
  it('says of a store that is whole that it is', async () => {
    const { config } = await storeOf(30);
    expect((await run(config, 'doctor', '--deep')).text).toMatch(
      /events +ok +all 30 events can be read/,
    );
  });
});

describe('a file that is damaged as a whole', () => {
  it.each([
    ['its head', 0, /is not a pi-ledger store/],
    ['its tables', 100, /is damaged \(.*doctor --deep/],
  ])('is named with what to do, without a stack: %s', async (_what, from, message) => {
    const { config } = await storeOf(30);
    const path = pathOf(config);
    change(config, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      Buffer.concat([
        bytes.subarray(0, from),
        Buffer.alloc(8_192 - from, 0xee),
        bytes.subarray(8_192),
      ]),
    );
    for (const command of [['report'], ['doctor', '--deep']]) {
      const { code, text } = await run(config, ...command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(text).toContain(path);
      expect(text).toMatch(message);
      expect(text).not.toContain('    at ');
    }
  });
});
