/**
 * Queries to Prometheus. Names come from the table of metrics. The variables of a dashboard filter
 * every metric that has their attribute.
 *
 * No query matches `le`, and none uses `otel_scope_*` or `service_name`: they differ by the path
 * that samples came.
 */

import {
  type HealthAttribute,
  type HealthMetricKey,
  healthMetrics,
} from '@pi-ledger/contract/telemetry/health-metrics';
import {
  type AttributeName,
  type MetricDefinition,
  type MetricKey,
  metrics,
} from '@pi-ledger/contract/telemetry/metrics';
import { prometheusLabel, prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';

/** Of a vector: `$__range`, `$__rate_interval`, `$interval`, `5m`. */
export type Window = string;

type Where = { readonly [Name in AttributeName]?: string };

/** Which variable filters which attribute. */
const filters: readonly (readonly [attribute: AttributeName, variable: string])[] = [
  ['pi.project', 'project'],
  ['gen_ai.request.model', 'model'],
  ['pi.host.name', 'host'],
];

/**
 * All series of a metric that fit the variables. Throws for an attribute that the metric has not.
 *
 * @param part what a histogram's series end with
 */
export function series(key: MetricKey, where: Where = {}, part = ''): string {
  const metric: MetricDefinition = metrics[key];
  const own = Object.entries(where).map(([name, value]) => {
    const attribute = metric.attributes.find((each) => each === name);
    if (attribute === undefined) throw new Error(`${metric.name} has no attribute ${name}.`);
    return `${prometheusLabel(attribute)}="${value}"`;
  });
  const chosen = filters
    .filter(([attribute]) => metric.attributes.includes(attribute))
    .map(([attribute, variable]) => `${prometheusLabel(attribute)}=~"$${variable}"`);
  const matchers = [...own, ...chosen];
  const labels = matchers.length === 0 ? '' : `{${matchers.join(', ')}}`;
  return `${prometheusName(metric)}${part}${labels}`;
}

/** How much a counter grew in the window; a counter that began anew counts from nothing. */
export function increase(key: MetricKey, window: Window, where?: Where, part?: string): string {
  return `increase(${series(key, where, part)}[${window}])`;
}

/** Growth in a second. */
export function rate(key: MetricKey, window: Window, where?: Where, part?: string): string {
  return `rate(${series(key, where, part)}[${window}])`;
}

export function sum(vector: string): string {
  return `sum(${vector})`;
}

/** A sum that is nothing where no series is: of a metric that some providers never report. */
export function sumOrZero(vector: string): string {
  return `(${sum(vector)} or vector(0))`;
}

export function sumBy(by: readonly AttributeName[], vector: string): string {
  return `sum by (${by.map(prometheusLabel).join(', ')}) (${vector})`;
}

/** A label that a series has not is said. */
export function named(attribute: AttributeName, vector: string, absent = 'unknown'): string {
  const label = prometheusLabel(attribute);
  return `label_replace(${vector}, "${label}", "${absent}", "${label}", "")`;
}

export function legend(...attributes: readonly (AttributeName | HealthAttribute)[]): string {
  return attributes.map((attribute) => `{{${prometheusLabel(attribute)}}}`).join(' ');
}

/** A quantile of a histogram, in its unit. */
export function quantile(
  of: number,
  key: MetricKey,
  window: Window,
  by: readonly AttributeName[] = [],
): string {
  const labels = ['le', ...by.map(prometheusLabel)].join(', ');
  return `histogram_quantile(${of}, sum by (${labels}) (${rate(key, window, {}, '_bucket')}))`;
}

/** The five that grew most over the whole range, and the sum of the others. */
export function leading(
  key: MetricKey,
  by: AttributeName,
  window: Window,
  where?: Where,
): { readonly five: string; readonly others: string } {
  const label = prometheusLabel(by);
  const each = sumBy([by], increase(key, window, where));
  const whole = `increase(${series(key, where)}[$__range] @ end())`;
  const most = `topk(5, ${sumBy([by], whole)})`;
  return {
    five: named(by, `(${each} and on (${label}) ${most})`),
    others: sum(`${each} unless on (${label}) ${most}`),
  };
}

/** All series of a metric of the collector's own health; no variable filters them. */
export function health(key: HealthMetricKey, part = ''): string {
  return `${prometheusName(healthMetrics[key])}${part}`;
}

export function healthRate(key: HealthMetricKey, window: Window, part = ''): string {
  return `rate(${health(key, part)}[${window}])`;
}

export function healthBy(
  aggregation: 'sum' | 'max',
  by: readonly HealthAttribute[],
  vector: string,
): string {
  return `${aggregation} by (${by.map(prometheusLabel).join(', ')}) (${vector})`;
}

export function healthQuantile(
  of: number,
  key: HealthMetricKey,
  by: readonly HealthAttribute[] = [],
): string {
  const labels = ['le', ...by.map(prometheusLabel)].join(', ');
  const counts = healthRate(key, '$__rate_interval', '_bucket');
  return `histogram_quantile(${of}, sum by (${labels}) (${counts}))`;
}

/** A part of a whole, 0 to 1; nothing where the whole is nothing. */
export function share(part: string, whole: string): string {
  return `${part} / (${whole} > 0)`;
}

/** Which of a dashboard's variables a query follows. */
export function followed(expr: string): readonly string[] {
  return filters.map(([, variable]) => variable).filter((name) => expr.includes(`"$${name}"`));
}

/** The names of metrics in a query, as they are in the conventions. */
export function metricsIn(expr: string): readonly string[] {
  const words = new Set(expr.match(/\w+/g));
  return [...Object.values(metrics), ...Object.values(healthMetrics)]
    .filter((metric) =>
      ['', '_bucket', '_sum', '_count'].some((part) =>
        words.has(`${prometheusName(metric)}${part}`),
      ),
    )
    .map(({ name }) => name);
}
