/**
 * A benchmark: one file, one line in registry.ts. Benchmarks are no timed tests: a missed budget is
 * printed, and nothing fails. Everything that is compared is measured in the same run, alternating,
 * so that a busy machine slows down both sides alike.
 */

export interface Benchmark {
  readonly name: string;
  /** The promise, in words. */
  readonly budget: string;
  /** Contract: leaves no process or file behind. Rejects if it cannot measure. */
  run(options: BenchOptions): Promise<readonly Row[]>;
}

export interface BenchOptions {
  /** Repetitions of measurements that start a process. */
  readonly runs: number;
  /** Number of events; null: the benchmark's default. */
  readonly events: number | null;
  /** Size of the session files to import, and their number; null: the benchmark's default. */
  readonly megabytes: number | null;
  readonly files: number | null;
  /**
   * Where `npm install` has put other tools, to be measured on the same session files; null: none.
   */
  readonly peersDirectory: string | null;
  /** How long a load at a steady rate lasts; null: the benchmark's default. */
  readonly minutes: number | null;
  /** The rate of such a load; null: the benchmark's default. */
  readonly eventsPerSecond: number | null;
  /** The organisation's load on one worker alone, instead of the whole chain. */
  readonly isOneWorker: boolean;
  /** Wait before the collector's memory is read. */
  readonly idleSeconds: number;
  /** Stores for the overview's views. */
  readonly stores: readonly ('sqlite' | 'mongodb')[];
  /** Directory for the collector's CPU profiles (which cost some speed); null: none. */
  readonly profileDirectory: string | null;
}

export type Unit =
  | 'us'
  | 'ms'
  | 'kB'
  | 'MB'
  | 'GB'
  | 'MB/s'
  | 'MB/cpu-s'
  | 'rows'
  | 'events'
  | 'events/s'
  | 'events/cpu-s'
  | 'spans/s'
  | 'B'
  | 'cores'
  | 'open'
  | 'share'
  | 'x';

export interface Row {
  readonly what: string;
  /** Null if it could not be measured; the note says why. */
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
