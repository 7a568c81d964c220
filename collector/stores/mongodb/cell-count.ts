/**
 * How many cells a ledger in MongoDB has. It is said once, while there are no events: they are
 * divided by it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import { logCollections } from './log/collections.ts';

/** The ledger must be migrated. */
export async function readCellCount(database: Db): Promise<number> {
  return (await logCollections(database).store.findOne({ _id: 'store' }))?.cells ?? 1;
}

export async function expectOneCell(database: Db): Promise<void> {
  const cells = await readCellCount(database);
  if (cells === 1) return;
  throw new LedgerError('cells_differ', {
    message: `The ledger has ${cells} cells, which workers write: ask one (PI_LEDGER_URL).`,
  });
}

/** How long a process without the lease waits for whoever creates the ledger. */
const saidMsMax = 10_000;
const lookEveryMs = 200;

/**
 * Says it where nobody has, while there are no events. Of all that come in at once, the one with
 * the first cell's lease says it; the others wait for that. Throws `cells_differ`.
 */
export async function agreeOnCells(
  database: Db,
  wanted: number | null,
  isHolder: boolean,
): Promise<number> {
  const { store, events } = logCollections(database);
  const isOpen = async () =>
    (await store.findOne({ _id: 'store' }))?.cells === undefined &&
    (await events.findOne({}, { projection: { _id: 1 } })) === null;
  const isDivided = wanted !== null && wanted > 1;
  const untilMs = performance.now() + saidMsMax;
  while (isDivided && !isHolder && performance.now() < untilMs && (await isOpen()))
    await sleep(lookEveryMs);
  if (isDivided && isHolder && (await isOpen()))
    await store.updateOne({ _id: 'store' }, { $set: { cells: wanted } });
  const cells = await readCellCount(database);
  if (wanted === null || wanted === cells) return cells;
  throw new LedgerError('cells_differ', {
    message:
      `The ledger has ${cells} cells, and "cells" (PI_LEDGER_CELLS) says ${wanted}: ` +
      'leave it out, or copy the ledger to a new store with `pi-ledger copy --cells`.',
  });
}
