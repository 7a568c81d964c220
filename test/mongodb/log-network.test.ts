import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { AppendBatch, Log } from '../../collector/log/log.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { type BadNetwork, startProxy } from '../services/mongodb/proxy.ts';
import { openLaneLog } from './support/lane-log.ts';

const databases = laneDatabases();
let proxy: BadNetwork;
const opened: Log[] = [];

beforeAll(async () => {
  proxy = await startProxy(inject('mongodb')?.uri ?? '');
});

afterEach(async () => {
  proxy.resume();
  proxy.slow(0);
  for (const log of opened.splice(0)) await log.close();
});

afterAll(() => proxy.close());

async function open(operationMsMax?: number): Promise<{ log: Log; uri: string }> {
  const uri = databases.uri();
  const log = await openLaneLog(
    proxy.uri(uri),
    operationMsMax === undefined ? {} : { operationMsMax },
  );
  opened.push(log);
  return { log, uri };
}

function batchOf(events: AppendBatch['events'], letters = 0): AppendBatch {
  const letter = { code: 'schema', field: '', message: 'no', body: '{}' } as const;
  return {
    receivedAtMs: 1_795_300_000_000,
    events,
    deadLetters: Array.from({ length: letters }, () => letter),
  };
}

/** Sends the same batch until it is acknowledged, like a shipper. */
async function offer(
  log: Log,
  batch: AppendBatch,
): Promise<{ refusals: number; appended: number; duplicates: number }> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return { refusals, ...(await log.append(batch)) };
    } catch {
      await sleep(20);
    }
  }
}

async function ids(log: Log): Promise<string[]> {
  const stored = await log.read(0, 1_000_000);
  expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
  return stored.map(({ event }) => event.id);
}

describe('the log behind a bad network', () => {
  it.each([
    ['insert', 'events'],
    ['find', 'events'],
    ['insert', 'dead_letters'],
    ['findAndModify', 'meta'],
    ['update', 'receipts'],
  ] as const)(
    'has everything once when the answer to %s on %s is lost and the batch comes again',
    async (command, collection) => {
      const { log, uri } = await open();
      await log.append(batchOf(exampleEvents(1, 3)));
      const lost = proxy.loseAnswerTo(command, collection);
      const answer = await offer(log, batchOf(exampleEvents(2, 10), 2));
      await lost;
      expect(answer.appended + answer.duplicates).toBe(10);
      await log.append(batchOf(exampleEvents(12, 3)));
      const expected = exampleEvents(1, 14).map(({ id }) => id);
      expect(await ids(log)).toEqual(expected);
      const again = await openLaneLog(uri);
      opened.push(again);
      expect(await ids(again)).toEqual(expected);
      expect(await again.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 14]] }]);
      expect((await again.deadLetters(0, 100)).length).toBeGreaterThanOrEqual(2);
    },
  );

  it('reads what an append has put there whose answer was lost', async () => {
    const { log } = await open();
    await log.append(batchOf(exampleEvents(1, 3)));
    const lost = proxy.loseAnswerTo('insert', 'events');
    await Promise.allSettled([log.append(batchOf(exampleEvents(4, 3)))]);
    await lost;
    await offer(log, batchOf(exampleEvents(4, 3)));
    expect(await ids(log)).toEqual(exampleEvents(1, 6).map(({ id }) => id));
  });

  it('completes at the take-over what an appender that died left out', async () => {
    const { log, uri } = await open();
    await log.append(batchOf(exampleEvents(1, 3)));
    const lost = proxy.loseAnswerTo('insert', 'events');
    // On MongoDB itself the driver retries the insert and notices nothing; compatible servers
    // reject it.
    await Promise.allSettled([log.append(batchOf(exampleEvents(4, 3)))]);
    await lost;
    const next = await openLaneLog(uri);
    opened.push(next);
    expect(await ids(next)).toHaveLength(6);
    expect(await next.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 6]] }]);
    expect(await next.append(batchOf(exampleEvents(4, 3)))).toEqual({ appended: 0, duplicates: 3 });
  });

  it('takes in what it has acknowledged, once, while connections break all the time', async () => {
    const { log } = await open();
    let isOver = false;
    const cutting = (async () => {
      while (!isOver) {
        await sleep(20 + Math.random() * 150);
        proxy.cut();
      }
    })();
    let refusals = 0;
    const producers = [1, 2, 3, 4, 5].map(async (producer) => {
      for (let first = 1; first <= 200; first += 10) {
        // Each batch repeats the end of the previous one.
        const events = exampleEvents(producer * 1_000 + first, 15, {
          source: `/producers/${producer}`,
        });
        refusals += (await offer(log, batchOf(events))).refusals;
        // A fast machine is done before a cut hits anything: it offers the same until one does.
        if (first > 190 && refusals === 0) first -= 10;
      }
    });
    await Promise.all(producers);
    isOver = true;
    await cutting;
    expect(refusals).toBeGreaterThan(0);
    const expected = [1, 2, 3, 4, 5].flatMap((producer) =>
      exampleEvents(producer * 1_000 + 1, 205).map(({ id }) => id),
    );
    await expect.poll(() => log.head().catch(() => 0)).toBe(expected.length);
    expect((await ids(log)).toSorted()).toEqual(expected.toSorted());
  });

  it('answers late, and right, when the server is slow', async () => {
    const { log } = await open();
    proxy.slow(150);
    const answers = await Promise.all(
      [0, 1, 2, 3].map((each) => log.append(batchOf(exampleEvents(1 + each * 5, 10)))),
    );
    expect(answers.reduce((sum, { appended }) => sum + appended, 0)).toBe(25);
    expect(await ids(log)).toHaveLength(25);
  });

  it('rejects an append that the server never answers, and accepts it when retried', async () => {
    const { log, uri } = await open(2_000);
    await offer(log, batchOf(exampleEvents(1, 2)));
    proxy.hang();
    await expect(log.append(batchOf(exampleEvents(3, 2)))).rejects.toThrow();
    proxy.resume();
    await offer(log, batchOf(exampleEvents(3, 2)));
    const patient = await openLaneLog(uri);
    opened.push(patient);
    expect(await ids(patient)).toEqual(exampleEvents(1, 4).map(({ id }) => id));
  });
});
