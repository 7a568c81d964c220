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

/** A vector has a window: `$__range`, `$__rate_interval`, `$interval`. */
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

/**
 * How much a counter grew in each bar, which begins at its time: exactly, since counters never fall
 * within a series. A bar begins where the counter stood last, so that bars of any width add up to
 * the same; a series that is new begins at its first sample, which is zero.
 */
export function inBars(key: MetricKey, where?: Where, part?: string): string {
  const own = series(key, where, part);
  const during = `${own}[$__interval] offset -$__interval`;
  const before = `(last_over_time(${own}[$__range]) or min_over_time(${during}))`;
  return `(max_over_time(${during}) - ${before})`;
}

/** How much a counter grew between the first and the last sample of the window: exactly. */
export function grown(key: MetricKey, window: Window, where?: Where, part?: string): string {
  return growthOf(`${series(key, where, part)}[${window}]`);
}

function growthOf(samples: string): string {
  return `(max_over_time(${samples}) - min_over_time(${samples}))`;
}

/** The same, extrapolated to the ends of the window: cheaper, for what is no amount. */
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

/** A label that a series has not is said: `absent`. */
export function sumBy(by: readonly AttributeName[], vector: string, absent?: string): string {
  return `sum by (${by.map(prometheusLabel).join(', ')}) (${named(by, vector, absent)})`;
}

/** As `sumBy`, of a gauge. */
export function maxBy(by: readonly AttributeName[], vector: string): string {
  return `max by (${by.map(prometheusLabel).join(', ')}) (${named(by, vector)})`;
}

/**
 * Before series are added up: those whose label is `unknown` then meet those without that label.
 * Until then a mark tells the two apart, since no vector may have a series twice.
 */
function named(by: readonly AttributeName[], vector: string, absent = 'unknown'): string {
  return by.map(prometheusLabel).reduce((text, label) => {
    const marked = `label_replace(${text}, "absent", "${label}", "${label}", "")`;
    return `label_replace(${marked}, "${label}", "${absent}", "${label}", "")`;
  }, vector);
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
  const counts = named(by, rate(key, window, {}, '_bucket'));
  return `histogram_quantile(${of}, sum by (${labels}) (${counts}))`;
}

/** Bars of the five that grew most over the whole range, and of the others together. */
export function leading(
  key: MetricKey,
  by: AttributeName,
  where?: Where,
): { readonly five: string; readonly others: string } {
  const label = prometheusLabel(by);
  const each = sumBy([by], inBars(key, where));
  const whole = growthOf(`${series(key, where)}[$__range] @ end()`);
  const most = `topk(5, ${sumBy([by], whole)})`;
  return {
    five: `(${each} and on (${label}) ${most})`,
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

/** A part of a whole, 0 to 1: 0 where no part is, and nothing where the whole is nothing. */
export function share(part: string, whole: string): string {
  return `(${part} or 0 * ${whole}) / (${whole} > 0)`;
}

/** A sum of two vectors, of which either may lack what the other has. */
export function plus(one: string, other: string): string {
  return `(${one} + ${other} or ${one} or ${other})`;
}

/** Whether its figures are near what was counted, and not that. */
export function isExtrapolated(expr: string): boolean {
  return /\b(increase|rate|delta)\(/.test(expr);
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
