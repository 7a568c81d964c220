import { expect } from 'vitest';
import { mongodb } from '../../../collector/stores/mongodb/driver.ts';
import type { CellStore } from '../../../collector/stores/store.ts';

/** The cells of a new ledger in this database, all led by this process. */
export async function openMongodbCells(uri: string, count: number): Promise<readonly CellStore[]> {
  const opened =
    (await mongodb.openCells?.(uri, {
      now: Date.now,
      // On a busy machine a lease is renewed late: `fill` takes it again.
      onError: () => undefined,
      cells: count,
    })) ?? [];
  for (const { right } of opened) expect(await right.take()).toBe(true);
  return opened;
}
