/** Counters by the names of the previous conventions (contract/telemetry/previous.ts). Pure. */
import type {
  Attributes,
  CounterReading,
  Counters,
  MetricPoint,
  MetricReading,
} from '@pi-ledger/contract/telemetry/counters';
import { type MetricDefinition, metrics } from '@pi-ledger/contract/telemetry/metrics';
import { previousMetrics } from '@pi-ledger/contract/telemetry/previous';

export function withPreviousNames(counters: Counters): Counters {
  return {
    async read() {
      const reading = await counters.read();
      return reading === null ? null : renamed(reading);
    },
  };
}

const newNames = 'gen_ai.client.inference.';

function renamed({ generation, metrics: all }: CounterReading): CounterReading {
  const pointsOf = ({ name }: MetricDefinition): readonly MetricPoint[] =>
    all.find(({ metric }) => metric.name === name)?.points ?? [];
  const kept = all.filter(({ metric }) => !metric.name.startsWith(newNames));
  const { tokenUsage, answerDuration, firstChunk } = previousMetrics;
  return {
    generation,
    metrics: [
      { metric: tokenUsage, points: tokenUsages(pointsOf) },
      { metric: answerDuration, points: pointsOf(metrics.answerDuration) },
      { metric: firstChunk, points: pointsOf(metrics.firstChunk) },
      ...kept,
    ] satisfies readonly MetricReading[],
  };
}

/**
 * Each series of records gets points of both types; nobody knows the tokens of what was not
 * reported.
 */
function tokenUsages(
  pointsOf: (metric: MetricDefinition) => readonly MetricPoint[],
): MetricPoint[] {
  const counts = new Map<string, { readonly point: MetricPoint; count: bigint }>();
  for (const point of pointsOf(metrics.records)) {
    const { 'pi.cost.source': source, ...attributes } = point.attributes;
    if (source === 'unreported') continue;
    const key = seriesKey(attributes, point);
    const known = counts.get(key) ?? { point: { ...point, attributes }, count: 0n };
    known.count += pointAmount(point);
    counts.set(key, known);
  }
  const input = amountsBySeries(pointsOf(metrics.inputTokens));
  const output = amountsBySeries(pointsOf(metrics.outputTokens));
  return [...counts].flatMap(([key, { point, count }]) =>
    (
      [
        ['input', input],
        ['output', output],
      ] as const
    ).map(([type, amounts]) => ({
      ...(point.sender === undefined ? {} : { sender: point.sender }),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.token.type': type,
        ...point.attributes,
      },
      histogram: { bounds: [], counts: [count], sum: amounts.get(key) ?? 0n },
    })),
  );
}

function amountsBySeries(points: readonly MetricPoint[]): ReadonlyMap<string, bigint> {
  return new Map(
    points.map((point) => {
      const { 'gen_ai.token.modality': _, ...attributes } = point.attributes;
      return [seriesKey(attributes, point), pointAmount(point)];
    }),
  );
}

function seriesKey(attributes: Attributes, { sender = '' }: MetricPoint): string {
  const named = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sender, named]);
}

function pointAmount(point: MetricPoint): bigint {
  return 'amount' in point ? point.amount : 0n;
}
