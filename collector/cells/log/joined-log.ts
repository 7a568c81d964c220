/**
 * The logs of a ledger with several cells (cell-of.ts), read as one: one cell after the other, with
 * the positions of cell-positions.ts.
 *
 * Contract, where it differs from that of a log (test/suites/cells.ts):
 * - It is not in the order of receipt, and grows in the middle: a reader that follows it misses
 *   what comes later to the cells before its position. Who follows reads the cells.
 * - A read with `charsMax` may also end where a cell does.
 * - Nothing is written through it: `append`, `enforce` and `expire` reject, because each belongs to
 *   the log of one cell. Dead letters can be removed.
 * - The seal is that of the cell with the latest floor: below it, something may be deleted.
 * - Stores see to it that an event is in one cell. Where two have it all the same, it is there
 *   twice; of its owners and positions, that of the first cell counts.
 */

import type { Log, Receipt, StoredOwner } from '../../log/log.ts';
import { joinRanges } from '../../log/ranges.ts';
import { joinWithdrawals } from '../../log/withdrawals.ts';
import { cellPosition, joinedHead } from './cell-positions.ts';
import { joinHistories, readOnly } from './joined-history.ts';
import { readOn } from './read-on.ts';

/** `cells`: the logs, by number. Closing it closes them. */
export function joinLogs(cells: readonly Log[]): Log {
  return {
    append: () => Promise.reject(readOnly()),
    async read(after, limit, charsMax) {
      const read = readOn(cells, after, limit, charsMax, async (log, ...where) =>
        (await log.read(...where)).map((stored) => ({ at: stored.position, item: stored })),
      );
      return (await read).map(({ at, item }) => ({ ...item, position: at }));
    },
    async readTexts(after, limit, charsMax) {
      const read = readOn(cells, after, limit, charsMax, async (log, ...where) =>
        (await log.readTexts(...where)).map((text) => ({ at: text.position, item: text })),
      );
      return (await read).map(({ at, item }) => ({ ...item, position: at }));
    },
    async withdrawals() {
      return joinWithdrawals(await Promise.all(cells.map((log) => log.withdrawals())));
    },
    async owners(eventIds) {
      const found = await Promise.all(cells.map((log) => log.owners(eventIds)));
      const first = new Map<string, StoredOwner>();
      for (const owner of found.flat())
        if (!first.has(owner.eventId)) first.set(owner.eventId, owner);
      return [...first.values()];
    },
    head: async () => joinedHead(await Promise.all(cells.map((log) => log.head()))),
    async receipts(sources) {
      return joinReceipts((await Promise.all(cells.map((log) => log.receipts(sources)))).flat());
    },
    async deadLetters(after, limit, charsMax) {
      const read = readOn(cells, after, limit, charsMax, async (log, ...where) =>
        (await log.deadLetters(...where)).map((letter) => ({ at: letter.id, item: letter })),
      );
      return (await read).map(({ at, item }) => ({ ...item, id: at }));
    },
    async removeDeadLetters(ids) {
      const places = Map.groupBy(ids.map(cellPosition), ({ cell }) => cell);
      for (const [cell, own] of places)
        await cells[cell]?.removeDeadLetters(own.map(({ position }) => position));
    },
    history: joinHistories(cells.map(({ history }) => history)),
    async close() {
      await Promise.all(cells.map((log) => log.close()));
    },
  };
}

/** A producer's sessions are in several cells, and each has received a part of its sequence. */
function joinReceipts(receipts: readonly Receipt[]): readonly Receipt[] {
  const bySource = Map.groupBy(receipts, ({ source }) => source);
  return [...bySource].map(([source, parts]) => ({
    source,
    ranges: joinRanges(parts.flatMap(({ ranges }) => ranges)),
  }));
}
