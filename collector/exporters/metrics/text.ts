/**
 * An exposition as text for Prometheus (0.0.4) or OpenMetrics (1.0), with the names and labels that
 * the same metrics have when they come by OTLP through an OpenTelemetry Collector. Amounts are
 * exact.
 */

import { decimalText } from '@pi-ledger/contract/amounts';
import type {
  Attributes,
  HistogramPoint,
  MetricPoint,
} from '@pi-ledger/contract/telemetry/counters';
import type { MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusFamily, prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';
import { seriesText } from '@pi-ledger/contract/telemetry/prometheus-text';
import { inTurns } from '../../timers/in-turns.ts';
import type { Exposition } from './exposition.ts';

export type TextFormat = 'text' | 'openmetrics';

export const contentTypes: Readonly<Record<TextFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

type ResourceAttributes = Readonly<Record<string, string>>;

/** What one series of counters shows, and whose it is. */
export interface ShownMetrics {
  readonly exposition: Exposition;
  readonly resource: ResourceAttributes;
}

/**
 * With several, each family stands once, with the lines of all. Together the pieces are the text.
 */
export async function expositionPieces(
  shown: readonly ShownMetrics[],
  format: TextFormat,
): Promise<readonly string[]> {
  const families = new Map<string, string[]>();
  for (const { exposition, resource } of shown) {
    const who = resourceIdentity(resource);
    for (const { metric, points } of exposition.metrics) {
      if (points.length === 0) continue;
      const family = format === 'text' ? prometheusName(metric) : prometheusFamily(metric);
      const pieces = families.get(family) ?? [metricHead(family, metric.kind, metric.description)];
      families.set(family, pieces);
      await inTurns(points, (point) => pieces.push(pointLines({ metric, who, format }, point)));
    }
  }
  const targets = shown.map(({ resource }) => targetLine(resource, resourceIdentity(resource)));
  const head = targets.length === 0 ? '' : metricHead('target_info', 'gauge', 'Target metadata');
  const end = format === 'openmetrics' ? '# EOF\n' : '';
  return [...[...families.values()].flat(), head, ...targets, end];
}

function metricHead(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

interface Naming {
  readonly metric: MetricDefinition;
  readonly who: Attributes;
  readonly format: TextFormat;
}

function pointLines({ metric, who, format }: Naming, point: MetricPoint): string {
  const name = prometheusName(metric);
  const attributes = { ...point.attributes, ...who };
  if ('amount' in point)
    return `${seriesText(name, attributes)} ${decimalText(point.amount, metric.digits)}\n`;
  const { histogram } = point;
  const buckets = listBuckets(histogram, format).map(
    ({ le, count }) => `${seriesText(`${name}_bucket`, { ...attributes, le })} ${count}\n`,
  );
  const total = histogram.counts.reduce((sum, count) => sum + count, 0n);
  const sum = decimalText(histogram.sum, metric.digits);
  return (
    buckets.join('') +
    `${seriesText(`${name}_sum`, attributes)} ${sum}\n` +
    `${seriesText(`${name}_count`, attributes)} ${total}\n`
  );
}

/** Counts include those of the buckets below. */
function listBuckets({ bounds, counts }: HistogramPoint, format: TextFormat) {
  let count = 0n;
  return counts.map((own, index) => {
    count += own;
    const bound = bounds[index];
    return { le: bound === undefined ? '+Inf' : boundText(bound, format), count };
  });
}

/** As programs in Go write it, Prometheus and the collector among them. OpenMetrics: `1.0`. */
function boundText(bound: number, format: TextFormat): string {
  const [digits = '', exponent = ''] = bound.toExponential().split('e');
  if (Number(exponent) >= 6 || Number(exponent) < -4)
    return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

const identifying: ReadonlySet<string> = new Set([
  'service.namespace',
  'service.name',
  'service.instance.id',
]);

function resourceIdentity(resource: ResourceAttributes): Attributes {
  const { 'service.namespace': namespace = '', 'service.name': name = '' } = resource;
  return {
    job: namespace === '' ? name : `${namespace}/${name}`,
    instance: resource['service.instance.id'] ?? '',
  };
}

function targetLine(resource: ResourceAttributes, who: Attributes): string {
  const others = Object.entries(resource).filter(([name]) => !identifying.has(name));
  const series = seriesText('target_info', { ...Object.fromEntries(others), ...who });
  return `${series} 1\n`;
}
