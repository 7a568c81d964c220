/**
 * A ledger of several cells in one database: each a store of its own but for events and tokens
 * (cell-database.ts), with a lease of its own, so that any number of processes share them.
 */
import type { CellStore, OpenCellsOptions } from '../store.ts';
import { agreeOnCells } from './cell-count.ts';
import { connectMongodb } from './connection.ts';
import { openMongodbCell } from './store.ts';

/** As `StoreDriver.openCells`. They share a connection, which the last one closes. */
export async function openMongodbCells(
  uri: string,
  options: OpenCellsOptions,
): Promise<readonly CellStore[]> {
  const { database, close } = await connectMongodb({ uri });
  const opened: CellStore[] = [];
  async function open(cell: number): Promise<void> {
    const store = await openMongodbCell(database, cell, options);
    opened.push(store);
  }
  try {
    await open(0);
    const isHolder = opened[0]?.right.isHeld() ?? false;
    const count = await agreeOnCells(database, options.cells, isHolder);
    for (let cell = 1; cell < count; cell += 1) await open(cell);
    for (const store of opened) await store.release();
  } catch (error) {
    await Promise.allSettled(opened.map((store) => store.close()));
    await close();
    throw error;
  }
  let left = opened.length;
  return opened.map((store) => ({
    ...store,
    async close() {
      await store.close().finally(() => {
        left -= 1;
      });
      if (left === 0) await close();
    },
  }));
}
