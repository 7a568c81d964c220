/**
 * The views: what the projections made of the log, ready to be asked.
 *
 * Contract (the suite in test/suites/views.ts holds every implementation to it):
 * - A projection's view lives in a generation. Queries see the live one; a rebuild folds into a new
 *   one beside it, and `promote` swaps them in one step and drops the old one.
 * - `commit` applies documents and rollup deltas exactly once and moves the checkpoint from `from`
 *   to `to`, whatever dies in between. It answers `stale`, and changes nothing, when the
 *   generation's checkpoint is not `from`: the caller then forgets its memory and reads again.
 * - Sums are exact, whatever the amounts: no commit and no question fails for a number (a store's
 *   own integers of 64 bits are not the bound: wide.ts). A row whose measures are all zero is gone,
 *   and a group that comes to nothing is in no answer.
 * - A question to a rollup may be answered from one of its coarser ones: whoever commits keeps
 *   these the sums of its rows (subscription/deltas.ts does).
 * - What a commit sets aside is kept with the generation, once, and goes with it.
 * - A rejected promise means that the store failed. A commit that rejected is there as a whole or
 *   not at all for whoever asks `live` next; when it is there, the caller's next one from the same
 *   place is `stale`. A store with transactions says more: nothing was changed.
 * - Queries never block a commit for longer than one of its own transactions. They see whole
 *   commits where the store has transactions; elsewhere a query may see a part of the commit that
 *   is being applied, but never of two generations.
 */
import type { Projection, Rollup, Scalar } from '../projections/projection.ts';

export interface Generation {
  readonly id: number;
  readonly version: number;
  /** The projection's when it began. */
  readonly settings: string;
  /**
   * Position up to which the generation has folded; 0 at first, or below while it takes what was
   * sealed of the log.
   */
  readonly checkpoint: number;
}

export interface ViewDocument {
  readonly key: string;
  readonly columns: Readonly<Record<string, Scalar>>;
  readonly body: string;
}

export interface RollupDelta {
  readonly rollup: Rollup;
  readonly dimensions: readonly string[];
  readonly measures: readonly bigint[];
}

export interface Commit {
  readonly generation: number;
  readonly from: number;
  readonly to: number;
  readonly documents: readonly ViewDocument[];
  /** One per (rollup, dimensions). */
  readonly deltas: readonly RollupDelta[];
  /** Between `from` and `to`. */
  readonly setAside?: readonly SetAside[];
}

/** An event of the log that is in none of the view's documents, because it cannot be folded. */
export interface SetAside {
  readonly position: number;
  /** Empty where it cannot be read. */
  readonly eventId: string;
  readonly reason: string;
}

export interface SetAsideList {
  readonly count: number;
  /** The oldest ones, at most `limit`. */
  readonly events: readonly SetAside[];
}

/** Every condition must hold. `key` is a column of every document. */
export interface Condition {
  readonly column: string;
  readonly is: 'in' | 'from' | 'before';
  /** `in`: any of these. `from`: >= the first. `before`: < the first. */
  readonly values: readonly Scalar[];
}

export interface DocumentQuery {
  readonly where: readonly Condition[];
  /**
   * Sorted by this column, then by key in the same direction; a document without a value comes
   * first, or last when descending.
   */
  readonly orderBy: { readonly column: string; readonly descending: boolean };
  /** The last row of the page before: its sort column's value and its key. */
  readonly after?: { readonly value: Scalar; readonly key: string };
  readonly limit: number;
  /** False: only keys and columns are read, and every body is empty. */
  readonly bodies?: boolean;
}

export interface SumQuery {
  /** Dimensions to group by; none gives one row with the total. */
  readonly by: readonly string[];
  readonly where: readonly Condition[];
}

export interface SumRow {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, bigint>>;
}

/** Asks the views. */
export interface ViewsReader {
  /**
   * The generation that queries see; null before the first `promote`, and when it was made for
   * other columns or rollups than the projection has now: it must then be folded anew, as with a
   * raised version or other settings. Those make no difference here: queries go on seeing it.
   */
  live(projection: Projection): Promise<Generation | null>;
  /** Documents of the live generation; none before there is one. */
  find(projection: Projection, query: DocumentQuery): Promise<readonly ViewDocument[]>;
  /** Sums over the live generation of the rollup's projection. */
  sum(projection: Projection, rollup: Rollup, query: SumQuery): Promise<readonly SumRow[]>;
  /** What the live generation was committed without. */
  setAside(projection: Projection, limit: number): Promise<SetAsideList>;
}

/** Folds generations and puts them in force. */
export interface ViewsWriter {
  /**
   * A new, empty generation for the projection's current version and settings, at the checkpoint (0
   * by default); an unfinished older attempt is dropped.
   */
  begin(projection: Projection, checkpoint?: number): Promise<Generation>;
  /** Bodies of the documents that exist. */
  load(
    projection: Projection,
    generation: number,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  commit(projection: Projection, commit: Commit): Promise<'committed' | 'stale'>;
  /**
   * Makes it the live one and drops the old one. `stale`, and nothing done, when there is no such
   * generation any more.
   */
  promote(projection: Projection, generation: number): Promise<'promoted' | 'stale'>;
  close(): Promise<void>;
}

export type Views = ViewsReader & ViewsWriter;
