/**
 * The rollup `totals`: cumulative sums for counters (Prometheus, OpenTelemetry). It belongs to the projection `sessions`. A record counts under
 * the attribution that is known when it is folded and stays there, so that a label's total never falls; `usage` is the one that is put right.
 * The log's order decides, so a rebuild gives the same totals.
 */
import type { Rollup } from './projection.ts';
import { usageMeasures } from './usage.ts';

export const totals: Rollup = {
  name: 'totals',
  dimensions: ['project', 'provider', 'model', 'kind', 'billing', 'host', 'user'],
  measures: usageMeasures,
  indexes: [],
};
