/**
 * Positions in the log of a ledger with several cells, which is read one cell after the other: the
 * cell's number, then the position in the cell's own log. In cell 0 the two are the same. Ids of
 * dead letters are told apart in the same way. Pure.
 */
import { positionsMax } from '../../log/stored-event.ts';

/** Positions of one cell. */
export const positionsPerCell = positionsMax;

/** Positions stay whole numbers that JSON can say. */
export const cellsMax = (Number.MAX_SAFE_INTEGER + 1) / positionsPerCell;

export interface CellPosition {
  /** From 0. */
  readonly cell: number;
  /** In the cell's own log; 0: before its first event. */
  readonly position: number;
}

export function joinedPosition({ cell, position }: CellPosition): number {
  return cell * positionsPerCell + position;
}

export function cellPosition(joined: number): CellPosition {
  const cell = Math.floor(joined / positionsPerCell);
  return { cell, position: joined - cell * positionsPerCell };
}

/**
 * The position up to which somebody has everything who has come to these positions in the cells:
 * where the first cell goes on in which something is left, else the head. `heads`: of the cells.
 */
export function reachedIn(positions: readonly number[], heads: readonly number[]): number {
  const cell = heads.findIndex((head, at) => (positions[at] ?? 0) < head);
  if (cell < 0) return joinedHead(heads);
  return joinedPosition({ cell, position: Math.max(0, positions[cell] ?? 0) });
}

/** The position of the last event that a reader comes to; 0 when all cells are empty. */
export function joinedHead(heads: readonly number[]): number {
  const cell = heads.findLastIndex((head) => head > 0);
  return cell < 0 ? 0 : joinedPosition({ cell, position: heads[cell] ?? 0 });
}
