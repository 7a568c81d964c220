/**
 * Where the events of a log stand in the collection `events`, which several logs of one ledger may
 * share: each has a range of `_id`, in which its positions are counted from 1. In the first range
 * `_id`s are positions. Pure.
 */
import { positionsMax } from '../../../log/stored-event.ts';

export interface Positions {
  /** The `_id` of the event at this position. */
  idOf(position: number): bigint;
  positionOf(id: bigint): number;
  /** A filter on `_id`: the log's events after this position. */
  after(position: number): { readonly $gt: bigint; readonly $lt: bigint };
  /** A filter on `_id`: the log's events before this position. */
  before(position: number): { readonly $gt: bigint; readonly $lt: bigint };
}

const perRange = BigInt(positionsMax);

export function positionsOf(range: number): Positions {
  const base = BigInt(range) * perRange;
  const end = base + perRange;
  return {
    idOf: (position) => base + BigInt(position),
    positionOf: (id) => Number(id - base),
    after: (position) => ({ $gt: base + BigInt(position), $lt: end }),
    before: (position) => ({
      $gt: base,
      $lt: base + BigInt(Math.min(position, positionsMax - 1)),
    }),
  };
}
