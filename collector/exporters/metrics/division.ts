/** The points of a metric, divided into those that are shown and those that are hidden. Pure. */
import type { MetricPoint } from '@pi-ledger/contract/telemetry/counters';
import { inTurns } from '../../timers/in-turns.ts';
import { combined, type KeyedMetric, overflowSeries, zeroPoint } from './series.ts';
import type { SeriesState } from './state.ts';

export interface Division {
  /** With a series of their own, by key. */
  readonly own: ReadonlyMap<string, MetricPoint>;
  /** What the others come to, by the key of the overflow series. */
  readonly overflow: ReadonlyMap<string, MetricPoint>;
  readonly hiddenCount: number;
}

export async function divide(
  { metric, points }: KeyedMetric,
  isAdmitted: (key: string, sender: string | undefined) => boolean,
): Promise<Division> {
  const own = new Map<string, MetricPoint>();
  const overflow = new Map<string, MetricPoint>();
  const seriesOf = overflowSeries();
  const hidden = new Set<string>();
  await inTurns(points, ([key, point]) => {
    if (isAdmitted(key, point.sender)) {
      const sum = own.get(key);
      own.set(key, sum === undefined ? point : combined(metric, sum, point));
      return;
    }
    hidden.add(key);
    const into = seriesOf(point.attributes);
    const sum = overflow.get(into.key);
    const { attributes } = into;
    overflow.set(
      into.key,
      sum === undefined ? { ...point, attributes } : combined(metric, sum, point),
    );
  });
  return { own, overflow, hiddenCount: hidden.size };
}

/** In the order of the reading, then what takes in the others. Without a state: left out. */
export function pointsShown({ own, overflow }: Division, { series }: SeriesState): MetricPoint[] {
  const points: MetricPoint[] = [];
  for (const [key, point] of [...own, ...overflow]) {
    const sinceMs = series.get(key);
    if (sinceMs === null) points.push(point);
    else if (sinceMs !== undefined) points.push(zeroPoint(point));
  }
  return points;
}

/** The highest, and one that is as high as any of the others. */
export function gaugeDivision(reading: KeyedMetric, seriesMax: number): Promise<Division> {
  const { points } = reading;
  if (points.length <= seriesMax) return divide(reading, () => true);
  const byHeight = points.toSorted(([, one], [, other]) =>
    pointAmount(one) < pointAmount(other) ? 1 : -1,
  );
  let left = seriesMax;
  return divide({ ...reading, points: byHeight }, () => left-- > 0);
}

function pointAmount(point: MetricPoint): bigint {
  return 'amount' in point ? point.amount : 0n;
}
