/** What is kept of a growing ledger. */

export interface PartLine {
  readonly kind: 'part';
  readonly seed: number;
  /** In the store after it. */
  readonly events: number;
  readonly accepted: number;
  /** Were there already: a part before was interrupted, so this one's speed says nothing. */
  readonly repeated: number;
  /** Until every view has folded them. */
  readonly seconds: number;
  /** Of the collector. */
  readonly cpuSeconds: number;
  /** Of the database's processes; 0 where it has none, or they are not ours. */
  readonly serverCpuSeconds: number;
  readonly residentBytes: number;
  /** Since the collector started: the first part is its warm-up. */
  readonly partOfProcess: number;
}

export interface LookLine {
  readonly kind: 'look';
  readonly events: number;
  /** Log, views and indexes. */
  readonly storeBytes: number;
  readonly readyMs: readonly number[];
  /** When it has just started. */
  readonly residentBytes: number;
  /** The view `sessions`, by the command. */
  readonly rebuild: { readonly seconds: number; readonly cpuSeconds: number };
  readonly answers: readonly AnswersAt[];
}

/** All that a place of the page asks. */
export interface AnswersAt {
  readonly place: string;
  readonly asks: number;
  /** Refused because there is too much. */
  readonly refused: readonly string[];
  /** Of all of them together, in the collector and by the clock; medians. */
  readonly cpuMs: number;
  readonly ms: number;
  /** The slowest one's p95, by the clock. */
  readonly slowestMs: number;
  readonly slowest: string;
}

export type GrowthLine = PartLine | LookLine;

export const isPart = <Line extends GrowthLine>(line: Line): line is Line & PartLine =>
  line.kind === 'part';
export const isLook = <Line extends GrowthLine>(line: Line): line is Line & LookLine =>
  line.kind === 'look';
