/**
 * A ledger as workers open it: of one part, or of several cells, each a store of its own. What is
 * only for several is loaded where there are, or are to be, several.
 */
import type { CellStore, OpenCellsOptions } from '../store.ts';
import { cellCounting } from './cell-count.ts';
import { connectMongodb } from './connection.ts';
import { openMongodbPart } from './store.ts';

/** As `StoreDriver.openCells`. They share a connection, which the last one closes. */
export async function openMongodbParts(
  uri: string,
  options: OpenCellsOptions,
): Promise<readonly CellStore[]> {
  const { database, close } = await connectMongodb({ uri });
  const opened: CellStore[] = [];
  try {
    const first = await openMongodbPart(database, options);
    opened.push(first);
    const counting = cellCounting(database);
    const { cells: wanted } = options;
    if ((wanted ?? 1) > 1 || (await counting.read()) > 1) {
      const { openOtherCells } = await import('../../cells/mongodb/other-cells.ts');
      await openOtherCells({
        ...{ database, counting, wanted, isHolder: first.right.isHeld() },
        open: async (part, range) => void opened.push(await openMongodbPart(part, options, range)),
      });
    }
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
