/** Histograms in rows. Pure. */
import type { HistogramPoint } from '@pi-ledger/contract/telemetry/counters';
import type { Histogram } from '../../projections/timings/buckets.ts';
import type { Buckets } from '../../projections/utilization/totals.ts';
import type { SumRow } from '../../views/views.ts';

/** In seconds; the sum in microseconds. */
export function durationsIn(row: SumRow, { boundsMs, measures }: Histogram): HistogramPoint {
  return histogramIn(row, { bounds: boundsMs.map((ms) => ms / 1_000), measures });
}

export function histogramIn({ measures }: SumRow, { bounds, measures: own }: Buckets) {
  const [sum, ...counts] = own;
  return { bounds, counts: counts.map((name) => measures[name] ?? 0n), sum: measures[sum] ?? 0n };
}
