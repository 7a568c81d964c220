/**
 * Thins out a series for display to the lowest and highest point of each stretch. Always keeps the
 * first and the last point, the overall lowest and highest, and every compaction and branch summary
 * with the points beside it, even when these alone exceed the limit. Written by hand, because
 * available libraries (`downsample` on npm: LTTB) keep neither extremes nor compactions.
 */
import type { Point } from './series.ts';

export function downSample(points: readonly Point[], pointsMax: number): readonly Point[] {
  return keptIndexes(points, pointsMax).flatMap((index) => points[index] ?? []);
}

/** Where the points that stay are, in order. */
export function keptIndexes(points: readonly Point[], pointsMax: number): readonly number[] {
  if (points.length <= pointsMax) return [...points.keys()];
  const kept = new Set<number>([0, points.length - 1]);
  for (const [index, { kind }] of points.entries())
    if (kind !== 'turn') for (const each of [index - 1, index, index + 1]) kept.add(each);
  keepExtremes(points, 0, points.length, kept);
  const stretches = Math.floor((pointsMax - kept.size) / 2);
  for (let stretch = 0; stretch < stretches; stretch++) {
    keepExtremes(
      points,
      edge(points, stretch, stretches),
      edge(points, stretch + 1, stretches),
      kept,
    );
  }
  return [...points.keys()].filter((index) => kept.has(index));
}

function edge({ length }: readonly Point[], stretch: number, stretches: number): number {
  return Math.floor((stretch * length) / stretches);
}

/** Points without a figure count as neither. */
function keepExtremes(points: readonly Point[], from: number, to: number, kept: Set<number>): void {
  let lowest = -1;
  let highest = -1;
  for (let index = from; index < to; index++) {
    const tokens = points[index]?.tokens ?? null;
    if (tokens === null) continue;
    if (lowest < 0 || tokens < (points[lowest]?.tokens ?? 0)) lowest = index;
    if (highest < 0 || tokens > (points[highest]?.tokens ?? 0)) highest = index;
  }
  if (lowest >= 0) kept.add(lowest).add(highest);
}
