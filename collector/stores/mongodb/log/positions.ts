/**
 * Where the events of a cell stand in the collection `events`, which all cells of a ledger share:
 * each cell has a range of `_id`, in which its positions are counted from 1. The first cell's
 * `_id`s are its positions, so a ledger of one cell is like one that knows no cells. Pure.
 */
import { positionsPerCell } from '../../../log/cell-positions.ts';

export interface Positions {
  /** The `_id` of the event at this position. */
  idOf(position: number): bigint;
  positionOf(id: bigint): number;
  /** A filter on `_id`: the cell's events after this position. */
  after(position: number): { readonly $gt: bigint; readonly $lt: bigint };
  /** A filter on `_id`: the cell's events before this position. */
  before(position: number): { readonly $gt: bigint; readonly $lt: bigint };
}

const perCell = BigInt(positionsPerCell);

export function positionsOf(cell: number): Positions {
  const base = BigInt(cell) * perCell;
  const end = base + perCell;
  return {
    idOf: (position) => base + BigInt(position),
    positionOf: (id) => Number(id - base),
    after: (position) => ({ $gt: base + BigInt(position), $lt: end }),
    before: (position) => ({
      $gt: base,
      $lt: base + BigInt(Math.min(position, positionsPerCell - 1)),
    }),
  };
}
