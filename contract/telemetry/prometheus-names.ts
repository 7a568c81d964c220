/**
 * How names arrive in Prometheus by OTLP with its naming (underscores and suffixes): what
 * `/metrics`, history, dashboards and rules have to write, too.
 *
 * https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
import type { MetricDefinition } from './metrics.ts';

type Named = Pick<MetricDefinition, 'name' | 'unit' | 'kind'>;

/** UCUM units in use. Another one has to be added here. */
const unitWords: ReadonlyMap<string, string> = new Map([
  ['s', 'seconds'],
  ['By', 'bytes'],
  ['1', ''],
]);

/**
 * What samples are called: `pi_cost_usd_total`; of a histogram, what comes before `_bucket`, `_sum`
 * and `_count`. Throws for a unit that is not in the table.
 */
export function prometheusName(metric: Named): string {
  return metric.kind === 'counter' ? `${prometheusFamily(metric)}_total` : prometheusFamily(metric);
}

/** What `# TYPE` names in OpenMetrics: of a counter, without `_total`. Throws as above. */
export function prometheusFamily({ name, unit, kind }: Named): string {
  const words = name.split(/[^a-zA-Z0-9:]+/).filter((word) => word !== '');
  const unitWord = wordOf(unit);
  if (unitWord !== '' && !words.includes(unitWord)) words.push(unitWord);
  const moved = kind === 'counter' ? 'total' : unit === '1' && kind === 'gauge' ? 'ratio' : null;
  const others = words.filter((word) => word !== moved);
  return (moved === 'ratio' ? [...others, moved] : others).join('_');
}

export function prometheusLabel(attribute: string): string {
  return attribute.replace(/[^a-zA-Z0-9]+/g, '_');
}

/** Annotations, as `{token}`, say nothing in Prometheus. */
function wordOf(unit: string): string {
  if (/^\{[^}]*\}$/.test(unit)) return '';
  const word = unitWords.get(unit);
  if (word === undefined) throw new Error(`No word in Prometheus for the unit ${unit}.`);
  return word;
}
