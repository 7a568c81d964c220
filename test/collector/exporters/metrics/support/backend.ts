/** Who receives metrics, and what it holds against them: an identity never takes anything back. */
import type { MetricPoint, MetricReading } from '@pi-ledger/contract/telemetry/counters';
import { expect } from 'vitest';
import type { Exposition } from '../../../../../collector/exporters/metrics/exposition.ts';

export interface Backend {
  receive(exposition: Exposition): void;
  identities(): number;
}

/** Every number of a point: a histogram has several. */
function numbersOf(point: MetricPoint): readonly bigint[] {
  return 'amount' in point ? [point.amount] : [...point.histogram.counts, point.histogram.sum];
}

export function createBackend(): Backend {
  const identities = new Map<number, Map<string, readonly bigint[]>>();

  function receiveMetric(
    received: Map<string, readonly bigint[]>,
    isFirst: boolean,
    { metric, points }: MetricReading,
  ): void {
    for (const point of points) {
      const series = JSON.stringify([metric.name, point.attributes]);
      const numbers = numbersOf(point);
      const before = received.get(series);
      if (before === undefined && !isFirst)
        expect({ series, numbers }).toEqual({ series, numbers: numbers.map(() => 0n) });
      for (const [index, number] of numbers.entries())
        if (number < (before?.[index] ?? 0n)) expect.fail(`${series} falls to ${number}`);
      received.set(series, numbers);
    }
  }

  return {
    receive({ startMs, metrics }) {
      const known = identities.get(startMs);
      const received = known ?? new Map<string, readonly bigint[]>();
      identities.set(startMs, received);
      const cumulative = metrics.filter(({ metric }) => metric.kind !== 'gauge');
      for (const each of cumulative) receiveMetric(received, known === undefined, each);
      const names = new Set(
        cumulative.flatMap(({ metric, points }) =>
          points.map(({ attributes }) => JSON.stringify([metric.name, attributes])),
        ),
      );
      for (const series of received.keys())
        if (!names.has(series)) expect.fail(`${series} is gone`);
    },
    identities: () => identities.size,
  };
}

/** By metric and billing; of histograms the counts. */
export function sums(metrics: readonly MetricReading[]): Record<string, bigint> {
  const found: Record<string, bigint> = {};
  for (const { metric, points } of metrics) {
    if (metric.kind === 'gauge') continue;
    for (const point of points) {
      const key = `${metric.name} ${point.attributes['pi.billing'] ?? ''}`;
      const amount =
        'amount' in point ? point.amount : point.histogram.counts.reduce((a, b) => a + b, 0n);
      found[key] = (found[key] ?? 0n) + amount;
    }
  }
  return found;
}

/** Of one metric, by project. */
export function numbersIn(
  { metrics }: Exposition,
  name: string,
): Record<string, readonly bigint[]> {
  const points = metrics.find(({ metric }) => metric.name === name)?.points ?? [];
  return Object.fromEntries(
    points.map((point) => [point.attributes['pi.project'] ?? '', numbersOf(point)]),
  );
}
