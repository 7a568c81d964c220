/** Reads on from a place in the joined log: in its cell, then in the cells after it. */

import type { Log } from '../../log/log.ts';
import { cellPosition, joinedPosition } from './cell-positions.ts';

export interface Placed<Item> {
  readonly at: number;
  readonly item: Item;
}

/** What one cell has after a place in it, at most `limit`. */
export type ReadLogCell<Item> = (
  log: Log,
  after: number,
  limit: number,
  charsMax?: number,
) => Promise<readonly Placed<Item>[]>;

/** With places in the joined log. With `charsMax` it ends with the first cell that has anything. */
export async function readOn<Item>(
  cells: readonly Log[],
  after: number,
  limit: number,
  charsMax: number | undefined,
  readCell: ReadLogCell<Item>,
): Promise<readonly Placed<Item>[]> {
  const found: Placed<Item>[] = [];
  const from = cellPosition(after);
  for (let cell = from.cell; cell < cells.length && found.length < limit; cell++) {
    const log = cells[cell];
    if (log === undefined) continue;
    const begin = cell === from.cell ? from.position : 0;
    for (const { at, item } of await readCell(log, begin, limit - found.length, charsMax))
      found.push({ at: joinedPosition({ cell, position: at }), item });
    if (charsMax !== undefined && found.length > 0) break;
  }
  return found;
}
