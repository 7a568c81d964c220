/**
 * A projection: the rule by which events become one keyed document, and rollups of such documents.
 *
 * Contract:
 * - `evolve` reads no clock and does no I/O; the same state and event give the same state and the
 *   same emissions. It owns `state`: it may update it in place and return it.
 * - A rollup row is the sum of all that was emitted for its dimensions. What a session learns late
 *   moves what was counted before: `evolve` then emits the old rows negated and the new ones. So
 *   the rows always are what a fold that knew everything from the start would give.
 * - An event that `evolve` cannot take it refuses by an `UnfoldableError`, before it has changed
 *   the state or emitted anything; the same state refuses the same events. The event is then set
 *   aside for this projection alone. Every document stays below `documentBytesMax`
 *   (subscription/guard.ts), whatever events the contract allows.
 * - A change of what a projection makes of old events raises `version`; what a user can change of
 *   that is said in `settings`. With another version or other settings the view is folded anew from
 *   the log.
 *
 * A new projection is one file here and one line in `registry.ts`.
 */
import type { StoredEvent } from '../log/stored-event.ts';
import type { Amount } from './amount.ts';

export type ColumnType = 'text' | 'integer';
export type Scalar = string | number | null;

/** Says that an event is to be set aside, and why. The state is as it was before. */
export class UnfoldableError extends Error {
  override readonly name = 'UnfoldableError';
}

/** A table of sums. A dimension that is unknown is the empty string. */
export interface Rollup {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** Integers; their sums may leave 64 bits. */
  readonly measures: readonly string[];
  /** Dimension lists that queries filter or range over, each the leading columns of an index. */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Rollups of the same measures under some of these dimensions, those with the fewest rows first.
   * Each of their rows is the sum of rows of this one; nobody emits them (subscription/deltas.ts
   * makes them), and a question that one can answer is answered from it (views/coarsest.ts).
   */
  readonly coarser?: readonly Rollup[];
}

/**
 * Adds `measures` (in the rollup's order; those that are left out at the end are zero) to the row
 * with these `dimensions` (in the rollup's order). `measures` are read at once; `dimensions` are
 * kept until the commit, so nobody may change that array, and emitting the same array again is the
 * fast path.
 */
export type Emit = (
  rollup: Rollup,
  dimensions: readonly string[],
  measures: readonly Amount[],
) => void;

/**
 * How a projection goes on from history that was deleted (docs/decisions/0012): its documents were
 * sealed as this projection folded them without any user's rules.
 */
interface Sealing<State> {
  /**
   * The state that such a document stands for, under the rules of this projection; null when it was
   * folded by a version that is not known here.
   */
  open(body: string, version: number): State | null;
  /** Emits what the state is counted under, in every rollup but the cumulative ones. */
  emit(state: State, emit: Emit): void;
  /** Rollups that follow the log's order: of these the rows themselves are sealed. */
  readonly cumulative: readonly Rollup[];
}

export interface Projection<State = unknown> {
  readonly name: string;
  readonly version: number;
  /** Canonical text of the user's rules that the fold depends on; empty where there are none. */
  readonly settings: string;
  /** All of them, coarser ones too. */
  readonly rollups: readonly Rollup[];
  /** Columns by which documents are found and sorted. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Column lists that queries filter or sort by, each the leading columns of an index. */
  readonly indexes: readonly (readonly string[])[];
  /** The document this event belongs to; null when the projection has no interest in it. */
  key(stored: StoredEvent): string | null;
  initial(key: string): State;
  evolve(state: State, stored: StoredEvent, emit: Emit): State;
  columnsOf(state: State): Readonly<Record<string, Scalar>>;
  encode(state: State): string;
  decode(body: string): State;
  /** Absent: a log with a projection like this cannot be sealed. */
  readonly sealing?: Sealing<State>;
}
