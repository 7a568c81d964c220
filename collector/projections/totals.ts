/**
 * The rollup `totals`: cumulative sums for counters (Prometheus, OpenTelemetry), part of the
 * projection `sessions`. A record counts under the attribution known when it is folded and stays
 * there, so that a label's total never decreases; `usage` is the rollup that gets corrected. The
 * log's order decides, so a rebuild gives the same totals.
 *
 * A counter cannot take back what a subagent turns out to have recorded itself: only growth of the
 * remaining part of a claim is counted. So a claim that arrives before the subagent's own records
 * is counted beside them here, but not in `usage`. Estimates are not counted at all.
 */
import type { Emit, Rollup } from './projection.ts';
import { recordMeasures } from './usage.ts';

export const totals: Rollup = {
  name: 'totals',
  /** `costSource`: as in `usage`; empty, too, in rows sealed before it was known. */
  dimensions: ['project', 'provider', 'model', 'kind', 'billing', 'host', 'user', 'costSource'],
  measures: recordMeasures,
  indexes: [],
};

/** For spend that only moves: it is in the totals already. */
export function withoutTotals(emit: Emit): Emit {
  return (rollup, dimensions, measures) => {
    if (rollup !== totals) emit(rollup, dimensions, measures);
  };
}
