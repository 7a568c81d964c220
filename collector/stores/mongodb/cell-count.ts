/**
 * How many cells a ledger in MongoDB has. It is said once, while there are no events: they are
 * divided by it.
 */
import type { Db } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import { logCollections } from './log/collections.ts';

/** Of a migrated ledger. */
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

/** Says it where nobody has, while there are no events. All that come in at once agree. */
export async function agreeOnCells(database: Db, wanted: number | null): Promise<number> {
  const { store, events } = logCollections(database);
  const isEmpty = async () => (await events.findOne({}, { projection: { _id: 1 } })) === null;
  if (wanted !== null && wanted > 1 && (await isEmpty()))
    await store.updateOne({ _id: 'store', cells: { $exists: false } }, { $set: { cells: wanted } });
  const cells = await readCellCount(database);
  if (wanted === null || wanted === cells) return cells;
  throw new LedgerError('cells_differ', {
    message:
      `The ledger has ${cells} cells, and "cells" (PI_LEDGER_CELLS) says ${wanted}: ` +
      'leave it out, or copy the ledger to a new store with `pi-ledger copy --cells`.',
  });
}
