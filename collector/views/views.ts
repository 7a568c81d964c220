/**
 * The views: what the projections made of the log, ready for queries.
 *
 * Contract (every implementation passes the suite in test/suites/views.ts):
 * - The view of a projection is a generation. Queries see the live one; a rebuild folds into a new
 *   one beside it, and `promote` swaps them in one step and drops the old one.
 * - `commit` applies documents and rollup deltas exactly once and moves the checkpoint from `from`
 *   to `to`, whatever dies in between. It returns `stale`, and changes nothing, when the checkpoint
 *   of the generation is not `from`: the caller then drops its memory and reads again.
 * - Sums are exact for all amounts: no commit and no query fails because of a number (a store's
 *   64-bit integers are no limit: wide.ts). A row whose measures are all zero is removed, and a
 *   group that comes to zero is in no answer.
 * - A query of a rollup may be answered from a coarser one: whoever commits keeps the coarser ones
 *   the sums of its rows (subscription/deltas.ts does).
 * - Events set aside by a commit are stored with the generation, once, and dropped with it.
 * - A rejected promise means that the store failed. A rejected commit is visible as a whole or not
 *   at all to the next `live`; if it is visible, the caller's next commit from the same place is
 *   `stale`. A store with transactions promises more: nothing was changed.
 * - Queries never block a commit for longer than one of their own transactions. They see whole
 *   commits where the store has transactions; elsewhere a query may see a part of the commit that
 *   is being applied, but never a mix of two generations.
 */
import type { Projection, Rollup, Scalar } from '../projections/projection.ts';

export interface Generation {
  readonly id: number;
  readonly version: number;
  /** The projection's settings when the generation began. */
  readonly settings: string;
  /**
   * The position up to which the generation has folded; 0 at first, or negative while it takes in
   * sealed history.
   */
  readonly checkpoint: number;
  /** Present where the log has several parts, each of which is folded by itself. */
  readonly parts?: readonly FoldedPart[];
}

/** How far a generation has folded a part of the log. */
export interface FoldedPart {
  readonly id: number;
  /** The part begins after this position. */
  readonly after: number;
  /** As that of a generation; in this part. */
  readonly checkpoint: number;
}

/** The whole log, where it has no parts. */
export function foldedParts({ parts, id, checkpoint }: Generation): readonly FoldedPart[] {
  return parts ?? [{ id, after: 0, checkpoint }];
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
  /** One per rollup and dimensions. */
  readonly deltas: readonly RollupDelta[];
  /** Events between `from` and `to`. */
  readonly setAside?: readonly SetAside[];
}

/** An event that is in no document of the view, because it cannot be folded. */
export interface SetAside {
  readonly position: number;
  /** Empty when it cannot be read. */
  readonly eventId: string;
  readonly reason: string;
}

export interface SetAsideList {
  readonly count: number;
  /** The oldest ones, at most `limit`. */
  readonly events: readonly SetAside[];
}

/** All conditions must hold. `key` is a column of every document. */
export interface Condition {
  readonly column: string;
  readonly is: 'in' | 'from' | 'before';
  /** `in`: any of these. `from`: >= the first. `before`: < the first. */
  readonly values: readonly Scalar[];
}

export interface DocumentQuery {
  readonly where: readonly Condition[];
  /**
   * Sorts by this column, then by key in the same direction; documents without a value come first,
   * or last when descending.
   */
  readonly orderBy: { readonly column: string; readonly descending: boolean };
  /** The last row of the previous page: the value of its sort column and its key. */
  readonly after?: { readonly value: Scalar; readonly key: string };
  readonly limit: number;
  /** False: reads only keys and columns, and every body is empty. */
  readonly bodies?: boolean;
}

export interface SumQuery {
  /** Dimensions to group by; without any there is one row with the total. */
  readonly by: readonly string[];
  readonly where: readonly Condition[];
}

export interface SumRow {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, bigint>>;
}

export interface TallyQuery extends SumQuery {
  /** The dimension whose words are counted. */
  readonly of: string;
}

export interface TallyRow {
  readonly dimensions: Readonly<Record<string, string>>;
  /** How many words have a sum there that does not come to zero. */
  readonly count: number;
}

/** Queries the views. */
export interface ViewsReader {
  /**
   * The generation that queries see; null before the first `promote`, and when it was created for
   * other columns or rollups than the projection has now: it must then be folded again, as after a
   * change of version or settings. Those do not affect queries: they keep seeing it.
   */
  live(projection: Projection): Promise<Generation | null>;
  /** Documents of the live generation; none before there is one. */
  find(projection: Projection, query: DocumentQuery): Promise<readonly ViewDocument[]>;
  /** How many documents of the live generation fulfil all of the conditions. */
  count(projection: Projection, where: readonly Condition[]): Promise<number>;
  /** Sums over the live generation of the rollup's projection. */
  sum(projection: Projection, rollup: Rollup, query: SumQuery): Promise<readonly SumRow[]>;
  /**
   * How many words of a dimension are in each group, in any order; one row where there is nothing
   * to group by. As many as `sum` by that dimension, too, has rows in it.
   */
  tally(projection: Projection, rollup: Rollup, query: TallyQuery): Promise<readonly TallyRow[]>;
  /** The events that the live generation has set aside. */
  setAside(projection: Projection, limit: number): Promise<SetAsideList>;
}

/** Writes generations and makes them live. */
export interface ViewsWriter {
  /**
   * Documents and rows of finer rollups in a commit, after which the next one begins. Absent: any
   * number, since a commit does not keep the thread from others.
   */
  readonly rowsPerCommit?: number;
  /**
   * Creates an empty generation for the current version and settings of the projection, at the
   * checkpoint (0 by default); drops an older unfinished one.
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
   * Makes it the live generation and drops the old one. `stale`, with nothing done, when the
   * generation no longer exists.
   */
  promote(projection: Projection, generation: number): Promise<'promoted' | 'stale'>;
  close(): Promise<void>;
}

export type Views = ViewsReader & ViewsWriter;
