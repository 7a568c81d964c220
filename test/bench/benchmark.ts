/**
 * What a benchmark is: one file, one line in registry.ts.
 *
 * None is a timed test: a missed budget is printed, and nothing fails. Whatever is compared is
 * measured in the same run, by turns, so that a busy machine slows both sides down alike.
 */

export interface Benchmark {
  readonly name: string;
  /** What is promised, in words. */
  readonly budget: string;
  /** Contract: leaves no process and no file behind. Rejects when it could not measure. */
  run(options: BenchOptions): Promise<readonly Row[]>;
}

export interface BenchOptions {
  /** Repetitions of whatever starts a process. */
  readonly runs: number;
  /** How many events; null: what each benchmark thinks enough. */
  readonly events: number | null;
  /** Of session files to import, in how many files; null: what the benchmark thinks enough. */
  readonly megabytes: number | null;
  readonly files: number | null;
  /**
   * Where `npm install` has put other tools, to be measured on the same session files; null: none.
   */
  readonly peersDirectory: string | null;
  /** Before the collector's memory is read. */
  readonly idleSeconds: number;
  /** Where the overview's views are. */
  readonly stores: readonly ('sqlite' | 'mongodb')[];
  /** Where the collector's CPU profiles go (they cost some speed); null: none are made. */
  readonly profileDirectory: string | null;
}

export type Unit = 'us' | 'ms' | 'MB' | 'MB/s' | 'MB/cpu-s' | 'rows' | 'events/s' | 'events/cpu-s';

export interface Row {
  readonly what: string;
  /** Null when it could not be measured; the note says why. */
  readonly measured: number | null;
  readonly unit: Unit;
  readonly budget?: { readonly max: number } | { readonly min: number };
  /** In the row's unit, from the same run. */
  readonly baseline?: { readonly what: string; readonly measured: number };
  readonly note?: string;
}

export function verdictOf({ measured, budget }: Row): 'met' | 'missed' | null {
  if (budget === undefined || measured === null) return null;
  const isMet = 'max' in budget ? measured <= budget.max : measured >= budget.min;
  return isMet ? 'met' : 'missed';
}
