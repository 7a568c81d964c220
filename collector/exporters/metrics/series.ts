/** What tells one series of a metric from another. Pure. */
import { hash } from 'node:crypto';
import type {
  Attributes,
  HistogramPoint,
  MetricPoint,
  MetricReading,
} from '@pi-ledger/contract/telemetry/counters';
import type { AttributeName, MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import { inTurns } from '../../timers/in-turns.ts';

/** A key has this many characters: 72 bits, in base64url. */
export const keyLength = 12;

export interface KeyedMetric {
  readonly metric: MetricDefinition;
  /** Those of several senders may have the same key. */
  readonly points: readonly (readonly [key: string, MetricPoint])[];
}

/** As `CounterReading`. */
export interface KeyedReading {
  readonly generation: string;
  readonly metrics: readonly KeyedMetric[];
}

export async function keyed({ metric, points }: MetricReading): Promise<KeyedMetric> {
  const pairs: (readonly [string, MetricPoint])[] = [];
  await inTurns(points, (point) => pairs.push([seriesKey(point.attributes), point]));
  return { metric, points: pairs };
}

/** The same for the same attributes, in any order. */
function seriesKey(attributes: Attributes): string {
  return digest(attributes).slice(0, keyLength);
}

/** Keys of overflow series are told from all others by their first character. */
function overflowKey(attributes: Attributes): string {
  return `+${digest(attributes).slice(1, keyLength)}`;
}

export function senderKey(sender: string): string {
  return hash('sha256', sender, 'base64url').slice(0, keyLength);
}

function digest(attributes: Attributes): string {
  let text = '';
  for (const name of Object.keys(attributes).toSorted())
    text += `${name}\0${attributes[name] ?? ''}\0`;
  return hash('sha256', text, 'base64url');
}

/** Attributes whose values are few, whatever agents send. */
const bounded: readonly AttributeName[] = [
  'gen_ai.operation.name',
  'gen_ai.token.modality',
  'gen_ai.token.type',
  'pi.host.name',
  'pi.billing',
  'pi.spend.kind',
  'pi.cost.source',
  'pi.outcome',
];

export interface OverflowSeries {
  readonly key: string;
  readonly attributes: Attributes;
}

/** The series that takes in a hidden one; each combination is formed once. */
export function overflowSeries(): (hidden: Attributes) => OverflowSeries {
  const known = new Map<string, OverflowSeries>();
  return (hidden) => {
    const values = bounded.map((name) => hidden[name] ?? '').join('\0');
    const found = known.get(values);
    if (found !== undefined) return found;
    const attributes = overflowAttributes(hidden);
    const series = { key: overflowKey(attributes), attributes };
    known.set(values, series);
    return series;
  };
}

function overflowAttributes(attributes: Attributes): Attributes {
  const kept: Record<string, string> = {};
  for (const name of bounded) {
    const value = attributes[name];
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, 'otel.metric.overflow': 'true' };
}

/** The higher point of a gauge wins. The bounds of two histograms of a metric are equal. */
export function combined(
  metric: MetricDefinition,
  one: MetricPoint,
  other: MetricPoint,
): MetricPoint {
  const { attributes } = one;
  if ('amount' in one && 'amount' in other) {
    if (metric.kind === 'gauge')
      return { ...(one.amount < other.amount ? other : one), attributes };
    return { attributes, amount: one.amount + other.amount };
  }
  if ('histogram' in one && 'histogram' in other)
    return { attributes, histogram: addHistograms(one.histogram, other.histogram) };
  throw new Error(`${metric.name} has points of two kinds.`);
}

function addHistograms(one: HistogramPoint, other: HistogramPoint): HistogramPoint {
  return {
    bounds: one.bounds,
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0n)),
    sum: one.sum + other.sum,
  };
}

export function zeroPoint(point: MetricPoint): MetricPoint {
  const { attributes } = point;
  if ('amount' in point) return { attributes, amount: 0n };
  const { bounds, counts } = point.histogram;
  return { attributes, histogram: { bounds, counts: counts.map(() => 0n), sum: 0n } };
}
