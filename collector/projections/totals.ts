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
import { recordMeasures, type SpendDimension } from '@pi-ledger/contract/spend-shape';
import type { Emit, Rollup } from './projection.ts';

const dimensions = [
  ...['project', 'provider', 'model', 'kind', 'billing', 'host', 'user'],
  /** As in `usage`; empty, too, in rows sealed before it was known. */
  'costSource',
] as const satisfies readonly SpendDimension[];

export type TotalDimension = (typeof dimensions)[number];

export const totals: Rollup<TotalDimension> = {
  name: 'totals',
  dimensions,
  measures: recordMeasures,
  indexes: [],
};

/** For spend that only moves: it is in the totals already. */
export function withoutTotals(emit: Emit): Emit {
  return (rollup, key, measures) => {
    if (rollup.name !== totals.name) emit(rollup, key, measures);
  };
}
