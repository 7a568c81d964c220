/**
 * Percentiles of durations, from the counts of a histogram. Within a bucket the durations are taken
 * to be spread evenly, so a percentile is interpolated; above the last bound only the bound is
 * known. Counts of several histograms with the same bounds add up before.
 */
import type { Percentile } from '@pi-ledger/contract/answers';
import type { Histogram } from '../../projections/timings/buckets.ts';
import type { SumRow } from '../../views/views.ts';

/** `share`: 0.95 for the 95th percentile. Null when nothing was measured. */
export function percentileOf(
  { boundsMs, measures }: Histogram,
  sums: SumRow['measures'],
  share: number,
): Percentile | null {
  const counts = measures.slice(1).map((name) => Number(sums[name] ?? 0n));
  const rank = share * counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const [index, count] of counts.entries()) {
    const upperMs = boundsMs[index];
    if (count > 0 && upperMs === undefined) return { ms: boundsMs.at(-1) ?? 0, is: 'at least' };
    if (count > 0 && upperMs !== undefined && below + count >= rank) {
      const lowerMs = boundsMs[index - 1] ?? 0;
      const ms = lowerMs + ((upperMs - lowerMs) * Math.max(0, rank - below)) / count;
      return { ms: Math.round(ms * 1_000) / 1_000, is: 'interpolated' };
    }
    below += count;
  }
  return null;
}

/** How many durations were measured. */
export function durationsIn({ measures }: Histogram, sums: SumRow['measures']): bigint {
  return measures.slice(1).reduce((sum, name) => sum + (sums[name] ?? 0n), 0n);
}
