/** OTLP as JSON, written by hand: what a test sends to a collector without an exporter of ours. */
import type { MetricDefinition } from '../../../contract/telemetry/metrics.ts';

/** One point of each metric, of one service. Every attribute of a metric's definition is set. */
export function onePointOfEach(
  metrics: readonly MetricDefinition[],
  { instance }: { readonly instance: string },
): unknown {
  const resource = {
    'service.namespace': 'pi-ledger',
    'service.name': 'agents',
    'service.instance.id': instance,
  };
  return {
    resourceMetrics: [
      {
        resource: { attributes: pairs(resource) },
        scopeMetrics: [{ scope: { name: 'test' }, metrics: metrics.map(onePoint) }],
      },
    ],
  };
}

function pairs(values: Readonly<Record<string, string>>): readonly unknown[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

function onePoint(metric: MetricDefinition): unknown {
  const nowNs = `${Date.now()}000000`;
  const values = Object.fromEntries(metric.attributes.map((name) => [name, 'a value']));
  const place = {
    attributes: pairs(values),
    startTimeUnixNano: nowNs,
    timeUnixNano: nowNs,
  };
  const { name, unit } = metric;
  const cumulative = { aggregationTemporality: 2 };
  if (metric.kind === 'gauge')
    return { name, unit, gauge: { dataPoints: [{ ...place, asDouble: 1.5 }] } };
  if (metric.kind === 'counter')
    return {
      name,
      unit,
      sum: { ...cumulative, isMonotonic: true, dataPoints: [{ ...place, asDouble: 1.5 }] },
    };
  const buckets = { explicitBounds: [1], bucketCounts: ['2', '1'], count: '3', sum: 4.5 };
  return { name, unit, histogram: { ...cumulative, dataPoints: [{ ...place, ...buckets }] } };
}
