/** Histograms in rows. Pure. */
import type { HistogramPoint } from '@pi-ledger/contract/telemetry/counters';
import type { Histogram } from '../../projections/timings/buckets.ts';
import type { SumRow } from '../../views/views.ts';

/** In seconds; the sum in microseconds. */
export function durationsIn(row: SumRow, histogram: Histogram): HistogramPoint {
  const [sum, ...counts] = histogram.measures;
  return {
    bounds: histogram.boundsMs.map((ms) => ms / 1_000),
    counts: counts.map((name) => row.measures[name] ?? 0n),
    sum: row.measures[sum] ?? 0n,
  };
}
