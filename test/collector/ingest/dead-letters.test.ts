/** Dead letters are bounded, and offered again by themselves when their reason ends. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startDeadLetterRetry } from '../../../collector/ingest/dead-letter-retry.ts';
import { createIngest, type IngestOptions } from '../../../collector/ingest/ingest.ts';
import type { Log } from '../../../collector/log/log.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventId, exampleEvent } from '../support/events.ts';
import { get, ledgerHomes } from '../support/ledger.ts';

const directory = temporaryDirectory();
const homes = ledgerHomes();
const opened: Log[] = [];
const day = 86_400_000;
const rightMs = Date.parse('2026-11-22T12:00:00.000Z');

afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

let files = 0;
function openLog(): Log {
  files += 1;
  const log = openSqliteLog({ path: join(directory, `${files}.db`) });
  opened.push(log);
  return log;
}

function ingestOn(log: Log, options: Partial<IngestOptions> = {}) {
  return createIngest({ log, now: () => rightMs, onAppended: () => undefined, ...options });
}

const bodiesIn = async (log: Log) => (await log.deadLetters(0, 100)).map(({ body }) => body);
const countMax = 3;
const bounds = { countMax, charsMax: 1_000 };

describe('dead letters are bounded', () => {
  it('in number: the oldest stay, and the loss of others is in the ack and in health', async () => {
    const log = openLog();
    const ingest = ingestOn(log, { deadLetterBounds: bounds });
    const { rejected } = await ingest.accept([1, exampleEvent({ number: 1 }), 2, 3, 4, 5]);
    expect(rejected.map(({ index, message }) => [index, message.includes('not kept')])).toEqual([
      [0, false],
      [2, false],
      [3, false],
      [4, true],
      [5, true],
    ]);
    expect(await bodiesIn(log)).toEqual(['1', '2', '3']);
    expect(ingest.deadLetterStatus()).toEqual({ count: countMax, isFull: true, notKept: 2 });
  });

  it('in length, and a small one still fits behind a large one that does not', async () => {
    const log = openLog();
    const ingest = ingestOn(log, { deadLetterBounds: bounds });
    await ingest.accept([`${'x'.repeat(900)}`, 'x'.repeat(200), 7]);
    expect((await bodiesIn(log)).map(({ length }) => length)).toEqual([902, 1]);
  });

  it('with what was there before the process started', async () => {
    const log = openLog();
    await ingestOn(log).accept([1, 2, 3, 4, 5]);
    const ingest = ingestOn(log, { deadLetterBounds: bounds });
    expect((await ingest.accept([6])).rejected[0]?.message).toContain('not kept');
    expect(await bodiesIn(log)).toHaveLength(5);
  });

  it('and there is room again after an append that failed, and after a retry', async () => {
    const log = openLog();
    let isFull = true;
    const failing: Log = {
      ...log,
      append: (batch) => (isFull ? Promise.reject(new Error('disk full')) : log.append(batch)),
    };
    let nowMs = rightMs - 3 * day;
    const ingest = ingestOn(failing, {
      deadLetterBounds: { countMax, charsMax: 100_000 },
      now: () => nowMs,
    });
    await expect(ingest.accept([1, 2, 3])).rejects.toThrow('disk full');
    isFull = false;
    const future = [1, 2, 3].map((number) => exampleEvent({ number }));
    expect(
      (await ingest.accept(future)).rejected.map(({ message }) => message.includes('not kept')),
    ).toEqual([false, false, false]);
    nowMs = rightMs;
    expect(await ingest.retryDeadLetters('future')).toMatchObject({ accepted: 3, rejected: 0 });
    expect((await ingest.accept([4])).rejected[0]?.message).not.toContain('not kept');
    expect(await bodiesIn(log)).toEqual(['4']);
  });

  it('and health says so, and the collector is as ready as before', async () => {
    const ledger = await homes.open();
    for (let batch = 0; batch < 3; batch++)
      await ledger.ingest.accept(Array.from({ length: 4_000 }, (_, number) => number));
    await ledger.subscription.catchUp();
    const { status, json } = await get(ledger, '/health/ready');
    expect(status).toBe(200);
    expect(json().warnings).toEqual([
      expect.stringContaining('No room for more rejected events (10000 kept)'),
      expect.stringContaining('2000 rejected events were lost'),
    ]);
  });
});

describe('dead letters are offered again by themselves', () => {
  it('when the clock was behind and is right: those from the future, soon', async () => {
    const log = openLog();
    let nowMs = rightMs - 3 * day;
    const ingest = ingestOn(log, { now: () => nowMs });
    await ingest.accept([exampleEvent({ number: 1 }), 'no event']);
    expect(await bodiesIn(log)).toHaveLength(2);
    const retried: unknown[] = [];
    const counting = {
      retryDeadLetters(which: 'all' | 'future' | readonly number[]) {
        retried.push(which);
        return ingest.retryDeadLetters(which);
      },
    };
    const retry = startDeadLetterRetry({
      ingest: counting,
      everyMs: 1,
      onError: (error) => retried.push(error),
    });
    await expect.poll(() => retried.length, { interval: 5 }).toBeGreaterThan(3);
    expect(await log.head()).toBe(0);
    nowMs = rightMs;
    await expect.poll(() => log.head(), { interval: 5 }).toBe(1);
    await retry.stop();
    expect((await log.read(0, 10)).map(({ event }) => event.id)).toEqual([eventId(1)]);
    expect(await bodiesIn(log)).toEqual(['"no event"']);
    expect(new Set(retried)).toEqual(new Set(['all', 'future']));
  });

  it('when a collector starts that knows their type; a failing store is tried again', async () => {
    const log = openLog();
    const body = JSON.stringify(exampleEvent({ number: 1 }));
    await log.append({
      receivedAtMs: 1,
      events: [],
      deadLetters: [{ code: 'unknown_type', field: '/type', message: 'Not known.', body }],
    });
    const errors: unknown[] = [];
    let failures = 2;
    const failing: Log = {
      ...log,
      append: (batch) =>
        failures-- > 0 ? Promise.reject(new Error('disk full')) : log.append(batch),
    };
    const retry = startDeadLetterRetry({
      ingest: ingestOn(failing),
      everyMs: 1,
      onError: (error) => errors.push(error),
    });
    await expect.poll(() => log.head(), { interval: 5 }).toBe(1);
    await retry.stop();
    expect(errors).toHaveLength(2);
    expect(await bodiesIn(log)).toEqual([]);
  });
});
