/** A ledger of several cells in one database, opened by two processes' worth of stores. */
import { expect, it } from 'vitest';
import { joinHistories } from '../../collector/cells/log/joined-history.ts';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import type { CellStore } from '../../collector/stores/store.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const options = {
  now: Date.now,
  onError(error: unknown) {
    throw error;
  },
};

async function open(uri: string, cells: number | null): Promise<readonly CellStore[]> {
  return (await mongodb.openCells?.(uri, { ...options, cells })) ?? [];
}

async function closeAll(stores: readonly CellStore[]): Promise<void> {
  for (const store of stores) await store.close();
}

/** In milliseconds; the first 48 bits of an event's id. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function batchOf(first: number, count: number) {
  return { receivedAtMs: 1, events: exampleEvents(first, count), deadLetters: [] };
}

it('has as many cells as its first worker says, for all that come in at once', async () => {
  const uri = databases.uri();
  const [one, other] = await Promise.all([open(uri, 3), open(uri, 3)]);
  expect([one.length, other.length]).toEqual([3, 3]);
  expect(await open(uri, null).then(closeAll)).toBeUndefined();
  await closeAll([...one, ...other]);
});

it('refuses another number once there are events, and to be opened as one', async () => {
  const uri = databases.uri();
  const cells = await open(uri, 2);
  expect(await cells[1]?.right.take()).toBe(true);
  await cells[1]?.log.append(batchOf(1, 2));
  await expect(open(uri, 3)).rejects.toThrow('The ledger has 2 cells');
  await expect(mongodb.open(uri, options)).rejects.toThrow('The ledger has 2 cells');
  await closeAll(cells);
  const single = await mongodb.open(databases.uri(), options);
  await single.close();
});

it('keeps an event once, whichever cells it is offered to, with positions in each', async () => {
  const uri = databases.uri();
  const cells = await open(uri, 3);
  const [first, second] = cells;
  for (const cell of cells) await cell.right.take();
  expect(await first?.log.append(batchOf(1, 3))).toEqual({ appended: 3, duplicates: 0 });
  expect(await second?.log.append(batchOf(2, 4))).toEqual({ appended: 2, duplicates: 2 });
  const positions = async (cell: CellStore | undefined) =>
    (await cell?.log.read(0, 10))?.map(({ position, event }) => [position, event.id]);
  const ids = exampleEvents(1, 5).map(({ id }) => id);
  expect(await positions(first)).toEqual(ids.slice(0, 3).map((id, at) => [at + 1, id]));
  expect(await positions(second)).toEqual(ids.slice(3).map((id, at) => [at + 1, id]));
  expect(await Promise.all(cells.map(({ log }) => log.head()))).toEqual([3, 2, 0]);
  await closeAll(cells);
});

it('deletes nothing that another cell would take in again', async () => {
  const cells = await open(databases.uri(), 2);
  const [first, second] = cells.map(({ log }) => log);
  for (const cell of cells) await cell.right.take();
  const batch = batchOf(1, 3);
  const seal = {
    ...{ sealId: 'seal', floorMs: 1 + Math.max(...batch.events.map(({ id }) => timeOf(id))) },
    ...{ first: 4, last: 4, superseded: null },
  };
  const { settledFloorMs } = joinHistories(cells.map(({ log }) => log.history));
  await first?.append(batch);
  await first?.history.enforce(seal);
  expect(await first?.history.expire(10, await settledFloorMs())).toBe(0);
  expect(await second?.append(batch)).toEqual({ appended: 0, duplicates: 3 });
  await second?.history.enforce(seal);
  expect(await first?.history.expire(10, await settledFloorMs())).toBe(3);
  expect(await second?.append(batch)).toEqual({ appended: 0, duplicates: 0, expired: 3 });
  await closeAll(cells);
});

it('gives each cell to one process at a time, and at once when it is released', async () => {
  const uri = databases.uri();
  const [one, other] = [await open(uri, 2), await open(uri, 2)];
  const [a, b] = [one[1], other[1]];
  expect(await a?.right.take()).toBe(true);
  expect(await b?.right.take()).toBe(false);
  expect(await other[0]?.right.take()).toBe(true);
  await expect(b?.log.append(batchOf(1, 1))).rejects.toMatchObject({ code: 'standing_by' });
  await a?.release();
  expect(a?.right.isHeld()).toBe(false);
  expect(await b?.right.take()).toBe(true);
  await b?.log.append(batchOf(1, 1));
  await expect(a?.log.append(batchOf(2, 1))).rejects.toMatchObject({ code: 'standing_by' });
  await closeAll([...one, ...other]);
});
