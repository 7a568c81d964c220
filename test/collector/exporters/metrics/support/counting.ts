/** Counters that stand where a test puts them. */
import type {
  Attributes,
  CounterReading,
  HistogramPoint,
  MetricPoint,
} from '@pi-ledger/contract/telemetry/counters';
import { type MetricKey, metrics } from '@pi-ledger/contract/telemetry/metrics';

export interface Counting {
  /** The views are folded anew: nothing is counted yet. */
  fold(generation: string): void;
  /** There are such counters, and none has counted. */
  declare(...keys: readonly MetricKey[]): void;
  add(key: MetricKey, attributes: Attributes, amount: bigint, sender?: string): void;
  observe(key: MetricKey, attributes: Attributes, bucket: number): void;
  reading(): CounterReading;
}

const bounds = [1, 5, 10];

export function counting(): Counting {
  let generation = '1';
  let metricPoints = new Map<MetricKey, Map<string, MetricPoint>>();
  const of = (key: MetricKey) => {
    const points = metricPoints.get(key) ?? new Map<string, MetricPoint>();
    metricPoints.set(key, points);
    return points;
  };
  return {
    fold(next) {
      generation = next;
      metricPoints = new Map([...metricPoints.keys()].map((key) => [key, new Map()]));
    },
    declare: (...keys) => keys.forEach(of),
    add(key, attributes, amount, sender) {
      const id = JSON.stringify([attributes, sender]);
      const known = of(key).get(id);
      const before = known !== undefined && 'amount' in known ? known.amount : 0n;
      const from = sender === undefined ? {} : { sender };
      of(key).set(id, { attributes, ...from, amount: before + amount });
    },
    observe(key, attributes, bucket) {
      const id = JSON.stringify(attributes);
      const known = of(key).get(id);
      const before: HistogramPoint =
        known !== undefined && 'histogram' in known
          ? known.histogram
          : { bounds, counts: [0n, 0n, 0n, 0n], sum: 0n };
      const counts = before.counts.map((count, index) => count + (index === bucket ? 1n : 0n));
      const histogram = { bounds, counts, sum: before.sum + BigInt(bucket + 1) };
      of(key).set(id, { attributes, histogram });
    },
    reading: () => ({
      generation,
      metrics: [...metricPoints].map(([key, points]) => ({
        metric: metrics[key],
        points: [...points.values()],
      })),
    }),
  };
}
