/**
 * An exposition as the metrics SDK has it. Values are doubles, tokens too: sums have no limit here,
 * integers on the wire have. Pure.
 */
import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics';
import { decimalText } from '@pi-ledger/contract/amounts';
import type { HistogramPoint, MetricReading } from '@pi-ledger/contract/telemetry/counters';
import type { MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import type { Exposition } from './exposition.ts';

export interface MetricDataOptions {
  readonly version: string;
  readonly nowMs: number;
}

export function scopeMetrics(
  { startMs, metrics }: Exposition,
  { version, nowMs }: MetricDataOptions,
): ScopeMetrics {
  const times = { startTime: millisToHrTime(startMs), endTime: millisToHrTime(nowMs) };
  return {
    scope: { name: 'pi-ledger', version },
    metrics: metrics.flatMap((each) => (each.points.length === 0 ? [] : [metricData(each, times)])),
  };
}

type Times = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>;

function metricData({ metric, points }: MetricReading, times: Times): MetricData {
  const { name, description, unit, kind } = metric;
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = (): DataPoint<number>[] =>
    points.flatMap((point) => {
      if (!('amount' in point)) return [];
      return [{ ...times, attributes: point.attributes, value: toNumber(point.amount, metric) }];
    });
  const histograms = (): DataPoint<Histogram>[] =>
    points.flatMap((point) => {
      if (!('histogram' in point)) return [];
      const value = toHistogram(point.histogram, metric);
      return [{ ...times, attributes: point.attributes, value }];
    });
  switch (kind) {
    case 'counter':
      return {
        ...common,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: numbers(),
      };
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
    case 'histogram':
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms() };
  }
}

/** The nearest double. */
function toNumber(amount: bigint, { digits }: MetricDefinition): number {
  return Number(decimalText(amount, digits));
}

function toHistogram({ bounds, counts, sum }: HistogramPoint, metric: MetricDefinition): Histogram {
  return {
    buckets: { boundaries: [...bounds], counts: counts.map(Number) },
    count: Number(counts.reduce((all, count) => all + count, 0n)),
    sum: toNumber(sum, metric),
  };
}
