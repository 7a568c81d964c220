/**
 * A projection: the rule that folds events into keyed documents, and rollups of these documents.
 *
 * Contract:
 * - `evolve` reads no clock and does no I/O; the same state and event give the same state and the
 *   same emissions. It owns `state` and may update it in place.
 * - A rollup row is the sum of everything emitted for its dimensions. When a session learns
 *   something late, `evolve` emits the old rows negated and then the new ones. So the rows always
 *   equal those of a fold that knew everything from the start.
 * - `evolve` refuses an event by throwing an `UnfoldableError` before it changes the state or emits
 *   anything; the same state refuses the same events. The event is then set aside for this
 *   projection alone. Every document stays below `documentBytesMax` (subscription/guard.ts),
 *   whatever events the contract allows.
 * - A change in how old events are folded raises `version`; the user's rules stand in `settings`.
 *   When either changes, the view is rebuilt from the log.
 *
 * To add a projection, write one file here and add one line to `registry.ts`.
 */
import type { StoredEvent } from '../log/stored-event.ts';
import type { Amount } from './amount.ts';

export type ColumnType = 'text' | 'integer';
export type Scalar = string | number | null;

/** Asks for an event to be set aside, and says why. The state is unchanged. */
export class UnfoldableError extends Error {
  override readonly name = 'UnfoldableError';
}

/** A table of sums. An unknown dimension is the empty string. */
export interface Rollup<Dimension extends string = string> {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  /** Integers; their sums may exceed 64 bits. */
  readonly measures: readonly string[];
  /** Dimension lists that queries filter or range over; each leads an index. */
  readonly indexes: readonly (readonly Dimension[])[];
  /**
   * Rollups of the same measures under some of these dimensions, those with the fewest rows first.
   * Each of their rows is a sum of rows of this one. Projections do not emit them:
   * subscription/deltas.ts derives them, and views/coarsest.ts answers a query from the coarsest
   * one that fits.
   */
  readonly coarser?: readonly Rollup<Dimension>[];
}

declare const keyOf: unique symbol;

/** What a row of a rollup is of, in the order of its dimensions; `rowKey` makes it. */
export type RowKey<Dimension extends string = string> = readonly string[] & {
  readonly [keyOf]: (dimension: Dimension) => Dimension;
};

/** From texts by name. JSON can carry half a surrogate pair; a store's text cannot. */
export function rowKey<Dimension extends string>(
  { dimensions }: Rollup<Dimension>,
  named: Readonly<Record<NoInfer<Dimension>, string>>,
): RowKey<Dimension> {
  return dimensions.map((name) => named[name].toWellFormed()) as unknown as RowKey<Dimension>;
}

/**
 * Adds `measures`, in the rollup's order, to the row with this key; measures missing at the end are
 * zero. `measures` are read immediately. The key is kept until the commit; emitting the same one
 * again is the fast path.
 */
export type Emit = <Dimension extends string>(
  rollup: Rollup<Dimension>,
  key: RowKey<NoInfer<Dimension>>,
  measures: readonly Amount[],
) => void;

/**
 * How a projection continues from deleted history (docs/decisions/0012): its documents were sealed
 * as folded without any user's rules.
 */
interface Sealing<State> {
  /**
   * The state of a sealed document under this projection's rules; null when an unknown version
   * folded it.
   */
  open(body: string, version: number): State | null;
  /** Emits the state's rows in every rollup but the cumulative ones. */
  emit(state: State, emit: Emit): void;
  /** Rollups that follow the log's order: their rows themselves are sealed. */
  readonly cumulative: readonly Rollup[];
}

/** A document as folded from those of its events that are in one cell of the ledger. */
export interface Part<State> {
  readonly state: State;
  /** As stored: they may depend on rules that whoever reads does not have. */
  readonly columns: Readonly<Record<string, Scalar>>;
}

/**
 * How documents come together whose events are not all of one session, and so in several cells
 * (ingest/kafka/partition-of.ts).
 */
export interface Joining<State> {
  /**
   * The document as one fold of the events of both parts would have made it. Commutative and
   * associative; changes neither part. Each column has the value that it has in one of the parts.
   */
  join(left: Part<State>, right: Part<State>): Part<State>;
  /** Whether one part gives all of the columns; a query's conditions then hold for that part. */
  readonly isOnePart: boolean;
}

export interface Projection<State = unknown> {
  readonly name: string;
  readonly version: number;
  /** Canonical text of the user's rules that the fold depends on; empty without any. */
  readonly settings: string;
  /** All its rollups, including the coarser ones. */
  readonly rollups: readonly Rollup[];
  /** Columns that documents are found and sorted by. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Column lists that queries filter or sort by; each leads an index. */
  readonly indexes: readonly (readonly string[])[];
  /** The key of the event's document; null when the projection ignores the event. */
  key(stored: StoredEvent): string | null;
  initial(key: string): State;
  evolve(state: State, stored: StoredEvent, emit: Emit): State;
  columnsOf(state: State): Readonly<Record<string, Scalar>>;
  encode(state: State): string;
  decode(body: string): State;
  /** A log with a projection without `sealing` cannot be sealed. */
  readonly sealing?: Sealing<State>;
  /** Absent: all events of a document have one subject, so no two cells have parts of it. */
  readonly joining?: Joining<State>;
}
