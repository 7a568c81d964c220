/**
 * The rollup `totals`: cumulative sums for counters (Prometheus, OpenTelemetry). It belongs to the
 * projection `sessions`. A record counts under the attribution that is known when it is folded and
 * stays there, so that a label's total never falls; `usage` is the one that is put right. The log's
 * order decides, so a rebuild gives the same totals.
 *
 * A counter cannot take back what a subagent turns out to have recorded itself: only growth of what
 * is left of a claim is counted here, so a claim that comes before the subagent's own records is in
 * these totals beside them, and not in `usage`. Estimates are not counted here at all.
 */
import type { Emit, Rollup } from './projection.ts';
import { recordMeasures } from './usage.ts';

export const totals: Rollup = {
  name: 'totals',
  dimensions: ['project', 'provider', 'model', 'kind', 'billing', 'host', 'user'],
  measures: recordMeasures,
  indexes: [],
};

/** For what only moves: it is in the totals already. */
export function withoutTotals(emit: Emit): Emit {
  return (rollup, dimensions, measures) => {
    if (rollup !== totals) emit(rollup, dimensions, measures);
  };
}
