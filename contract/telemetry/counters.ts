/**
 * What the counters of the ledger stand at: folded in the store, so that a restart, a re-delivery
 * or a second collector never resets or doubles them. Queries give it; exporters write it down.
 */
import type { MetricDefinition } from './metrics.ts';

export interface Counters {
  /**
   * Resolves to null while a view that counts has not been folded. Rejects when the store fails.
   */
  read(): Promise<CounterReading | null>;
}

export interface CounterReading {
  /**
   * Names the generations of the views that count. Another one: they were folded anew, by other
   * rules for example, and may be lower than before.
   */
  readonly generation: string;
  readonly metrics: readonly MetricReading[];
}

export interface MetricReading {
  readonly metric: MetricDefinition;
  /** One for each combination of attributes, and of senders where they are told, that occurs. */
  readonly points: readonly MetricPoint[];
}

/** Attributes that have no value are absent. */
export type Attributes = Readonly<Record<string, string>>;

/** Amounts are integers of 10^-digits of the metric's unit. */
export type MetricPoint = PointOf &
  ({ readonly amount: bigint } | { readonly histogram: HistogramPoint });

interface PointOf {
  readonly attributes: Attributes;
  /** For whom it counts, where that is told; empty: nobody knows. No attribute. */
  readonly sender?: string;
}

export interface HistogramPoint {
  /** Inclusive upper bounds in the metric's unit. One more count is for what is above the last. */
  readonly bounds: readonly number[];
  readonly counts: readonly bigint[];
  readonly sum: bigint;
}
