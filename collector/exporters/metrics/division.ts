/** The points of a metric, divided into those that are shown and those that are hidden. Pure. */
import type { Point } from '@pi-ledger/contract/telemetry/counters';
import { combined, type KeyedMetric, overflowSeries, zeroOf } from './series.ts';
import type { SeriesState } from './state.ts';

export interface Division {
  /** With a series of their own, by key. */
  readonly own: ReadonlyMap<string, Point>;
  /** What the others come to, by the key of the overflow series. */
  readonly overflow: ReadonlyMap<string, Point>;
  readonly hiddenCount: number;
}

/** `isAdmitted` is asked once for each point, in their order. */
export function divide(
  { metric, points }: KeyedMetric,
  isAdmitted: (key: string) => boolean,
): Division {
  const own = new Map<string, Point>();
  const overflow = new Map<string, Point>();
  const seriesOf = overflowSeries();
  let hiddenCount = 0;
  for (const [key, point] of points) {
    if (isAdmitted(key)) {
      own.set(key, point);
      continue;
    }
    hiddenCount += 1;
    const into = seriesOf(point.attributes);
    const sum = overflow.get(into.key);
    const { attributes } = into;
    overflow.set(
      into.key,
      sum === undefined ? { ...point, attributes } : combined(metric, sum, point),
    );
  }
  return { own, overflow, hiddenCount };
}

/** In the order of the reading, then what takes in the others. Without a state: left out. */
export function pointsShown({ own, overflow }: Division, { live, zeros }: SeriesState): Point[] {
  const points: Point[] = [];
  for (const [key, point] of [...own, ...overflow]) {
    if (live.has(key)) points.push(point);
    else if (zeros.has(key)) points.push(zeroOf(point));
  }
  return points;
}

/** The highest, and one that is as high as any of the others. */
export function gaugeDivision(reading: KeyedMetric, seriesMax: number): Division {
  const { points } = reading;
  if (points.length <= seriesMax) return divide(reading, () => true);
  const byHeight = points.toSorted(([, one], [, other]) =>
    amountOf(one) < amountOf(other) ? 1 : -1,
  );
  let left = seriesMax;
  return divide({ ...reading, points: byHeight }, () => left-- > 0);
}

function amountOf(point: Point): bigint {
  return 'amount' in point ? point.amount : 0n;
}
