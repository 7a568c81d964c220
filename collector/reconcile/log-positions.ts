/**
 * Finds events that were deleted from the log. Positions have no gaps, in each cell of a ledger,
 * so one that is missing between two others was taken out. Pure.
 */

/** A cell's positions begin anew after each multiple of this (docs/decisions/0058). */
const positionsPerCell = 2 ** 44;

export interface LogPositions {
  /** Call in the log's order. */
  add(position: number): void;
  readonly missing: number;
  /** The first missing one; null without any. */
  readonly firstMissing: number | null;
}

export function createLogPositions(): LogPositions {
  let [next, missing] = [1, 0];
  let firstMissing: number | null = null;
  return {
    add(position) {
      const cellStart = position - (position % positionsPerCell);
      if (next <= cellStart) next = cellStart + 1;
      if (position > next) {
        missing += position - next;
        firstMissing ??= next;
      }
      next = position + 1;
    },
    get missing() {
      return missing;
    },
    get firstMissing() {
      return firstMissing;
    },
  };
}
