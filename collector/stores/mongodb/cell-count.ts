/**
 * How many cells a ledger in MongoDB has. It is said once, while there are no events: they are
 * divided by it.
 */
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

export interface CellCounting {
  read(): Promise<number>;
  /** Whether nobody has said a number, and there are no events. */
  isOpen(): Promise<boolean>;
  say(cells: number): Promise<void>;
}

export function cellCounting(database: Db): CellCounting {
  const { store, events } = logCollections(database);
  return {
    read: () => readCellCount(database),
    isOpen: async () =>
      (await store.findOne({ _id: 'store' }))?.cells === undefined &&
      (await events.findOne({}, { projection: { _id: 1 } })) === null,
    say: async (cells) => void (await store.updateOne({ _id: 'store' }, { $set: { cells } })),
  };
}
