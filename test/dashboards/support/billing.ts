/** Metered, subscription and unknown billing are never added up. */
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';

const cost = prometheusName(metrics.cost);
const operators = 'sum|avg|min|max|count|group|topk|bottomk|quantile';
const clause = '\\s+by\\s*\\(([^)]*)\\)|\\s+without\\s*\\([^)]*\\)';
const aggregation = new RegExp(`\\b(?:${operators})\\b(?:${clause})?\\s*\\(`, 'g');

/**
 * Whether the query keeps `pi_billing` apart: all its series of cost are of one kind, the same for
 * all, or every aggregation keeps the label.
 */
export function billingIsApart(expr: string): boolean {
  const selectors = [...expr.matchAll(new RegExp(`\\b${cost}\\b(\\{[^}]*\\})?`, 'g'))];
  if (selectors.length === 0) return true;
  const kinds = selectors.map(([, labels = '']) => /pi_billing="(\w+)"/.exec(labels)?.[1]);
  const [first] = kinds;
  if (first !== undefined && kinds.every((kind) => kind === first)) return true;
  const aggregations = [...expr.matchAll(aggregation)];
  return aggregations.every(([, by]) => by?.split(/,\s*/).includes('pi_billing') === true);
}
