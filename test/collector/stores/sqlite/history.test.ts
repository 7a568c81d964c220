/** Sealing and deleting in a SQLite file, apart from the sealer. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { floorId, type Seal } from '../../../../collector/log/history.ts';
import { openSqliteLog, type SqliteLog } from '../../../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { eventId, exampleEvent, exampleEvents } from '../../support/events.ts';

const directory = temporaryDirectory();
const opened: SqliteLog[] = [];
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

let stores = 0;
/** Event n has the n-th millisecond in its id. */
async function logOf(...numbers: readonly number[]): Promise<SqliteLog> {
  stores += 1;
  const log = openSqliteLog({ path: join(directory, `${stores}.db`) });
  opened.push(log);
  await log.append({
    receivedAtMs: 1,
    events: numbers.map((number) => exampleEvent({ number })),
    deadLetters: [],
  });
  return log;
}

const sealOf = (over: Partial<Seal> = {}): Seal => ({
  sealId: 'a',
  floorMs: 3,
  first: 5,
  last: 5,
  superseded: null,
  ...over,
});
const positionsIn = async (log: SqliteLog) =>
  (await log.read(0, 100)).map(({ position }) => position);
const part = (number: number) => exampleEvent({ number, type: 'pi.history.sealed.v1' });

describe('an event of before a floor', () => {
  it.each([
    [-5, '00000000-0000'],
    [0, '00000000-0000'],
    [0x019ca8a12b00, '019ca8a1-2b00'],
  ])('has an id of less than the floor of %d', (floorMs, text) =>
    expect(floorId(floorMs)).toBe(text),
  );

  it('is found by id, page by page, as far as a position', async () => {
    const { history } = await logOf(2, 1, 9, 3, 4);
    const numbers = async (...asked: Parameters<typeof history.below>) =>
      (await history.below(...asked)).map(({ event }) => event.id);
    expect(await numbers(4, 100, '', 10)).toEqual([1, 2, 3].map(eventId));
    expect(await numbers(4, 100, eventId(1), 1)).toEqual([eventId(2)]);
    expect(await numbers(4, 2, '', 10)).toEqual([eventId(2)]);
    expect(await numbers(1, 100, '', 10)).toEqual([]);
    expect((await history.below(2, 100, '', 10))[0]).toMatchObject({
      position: 2,
      receivedAtMs: 1,
    });
    expect([await history.countBelow(4), await history.countBelow(0)]).toEqual([3, 0]);
  });

  it('has a position, while it is there', async () => {
    const { history } = await logOf(2, 1);
    expect([await history.positionOf(eventId(1)), await history.positionOf(eventId(7))]).toEqual([
      2,
      null,
    ]);
  });
});

describe('a seal', () => {
  it('is none at first, and nothing is expired without one', async () => {
    const { history } = await logOf(1, 2);
    expect([await history.seal(), await history.expire(10)]).toEqual([null, 0]);
  });

  it('is in force from then on, and takes nothing in of before it', async () => {
    const log = await logOf(1, 2, 3);
    await log.history.enforce(sealOf());
    expect(await log.history.seal()).toEqual(sealOf());
    const again = await log.append({
      receivedAtMs: 1,
      events: exampleEvents(1, 5),
      deadLetters: [],
    });
    expect(again).toEqual({ appended: 2, duplicates: 1, expired: 2 });
    expect(
      await log.append({ receivedAtMs: 1, events: [exampleEvent({ number: 9 })], deadLetters: [] }),
    ).toEqual({
      appended: 1,
      duplicates: 0,
    });
  });

  it.each([4, 5])(
    'gives way to one whose parts stand after its own, not to one at %d',
    async (first) => {
      const { history } = await logOf(1);
      await history.enforce(sealOf());
      await expect(history.enforce(sealOf({ sealId: 'b', first }))).rejects.toThrow('newer');
      expect(await history.seal()).toEqual(sealOf());
      await history.enforce(sealOf({ sealId: 'b', first: 6 }));
      expect(await history.seal()).toMatchObject({ sealId: 'b' });
    },
  );
});

describe('what is sealed', () => {
  it('is deleted in batches until nothing is left, also for a following reader', async () => {
    const log = await logOf(1, 9, 2, 0);
    await log.history.enforce(sealOf());
    expect(await log.history.expire(2)).toBe(2);
    expect(await positionsIn(log)).toHaveLength(2);
    expect([await log.history.expire(2), await log.history.expire(2)]).toEqual([1, 0]);
    expect(await positionsIn(log)).toEqual([2]);
    expect(await log.head()).toBe(2);
  });

  it('is so as far as its first part: what came later stays', async () => {
    const log = await logOf(1, 2);
    await log.history.enforce(sealOf({ first: 2 }));
    expect(await log.history.expire(10)).toBe(1);
    expect(await positionsIn(log)).toEqual([2]);
  });

  it('deletes the parts of the previous seal last, and only these', async () => {
    const log = await logOf(1, 9);
    await log.append({
      receivedAtMs: 1,
      events: [part(11), exampleEvent({ number: 12 }), part(13), part(14), part(15)],
      deadLetters: [],
    });
    const seal = sealOf({ first: 6, last: 7, superseded: { first: 3, last: 6 } });
    await log.history.enforce(seal);
    expect(await log.history.expire(10)).toBe(1);
    expect(await positionsIn(log)).toEqual([2, 3, 4, 5, 6, 7]);
    expect([
      await log.history.expire(1),
      await log.history.expire(10),
      await log.history.expire(10),
    ]).toEqual([1, 1, 0]);
    expect(await positionsIn(log)).toEqual([2, 4, 6, 7]);
  });

  it('takes parts along from where these began', async () => {
    const log = await logOf(9);
    await log.append({ receivedAtMs: 1, events: [part(11), part(12), part(13)], deadLetters: [] });
    await log.history.enforce(sealOf({ first: 9, superseded: { first: 3, last: 3 } }));
    expect(await log.history.expire(10)).toBe(1);
    expect(await positionsIn(log)).toEqual([1, 2, 4]);
  });
});
