/**
 * Where the events of a cell stand in the collection `events`, which all cells of a ledger share:
 * each cell has a range of `_id`, in which its positions are counted from 1. The first cell's
 * `_id`s are its positions, so a ledger of one cell is like one that knows no cells. Pure.
 */
export interface Positions {
  /** The `_id` of the event at this position. */
  idOf(position: number): bigint;
  positionOf(id: bigint): number;
  /** A filter on `_id`: the cell's events after this position. */
  after(position: number): { readonly $gt: bigint; readonly $lt: bigint };
  /** A filter on `_id`: the cell's events before this position. */
  before(position: number): { readonly $gt: bigint; readonly $lt: bigint };
}

/** 17.6 trillion events a cell; 2^53 has room for 512 cells. */
const bitsOfPosition = 44n;
const positionMax = Number(1n << bitsOfPosition) - 1;

export function positionsOf(cell: number): Positions {
  const base = BigInt(cell) << bitsOfPosition;
  const end = base + (1n << bitsOfPosition);
  return {
    idOf: (position) => base + BigInt(position),
    positionOf: (id) => Number(id - base),
    after: (position) => ({ $gt: base + BigInt(position), $lt: end }),
    before: (position) => ({ $gt: base, $lt: base + BigInt(Math.min(position, positionMax)) }),
  };
}
