/** Where the bars of stacked columns stand: one kind above the line, another below it. */
import { max } from 'd3-array';
import type { SeriesClass } from './colours.ts';
import { type Box, boxesPath } from './paths.ts';
import { linearScale, type Scale } from './scale.ts';

/** Values are for pixels alone: dollars or tokens, rounded to a double. */
export interface StackedSeries {
  readonly name: string;
  readonly class: SeriesClass;
  /** Each column has dollars of one billing, or tokens. */
  readonly above: readonly number[];
  /** Each column has dollars that a subscription covers; empty where these are not below. */
  readonly below: readonly number[];
  /** Dollars of which nobody said how they are paid, under those; empty where there are none. */
  readonly open: readonly number[];
}

export interface StackedPaths {
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly open: readonly string[];
}

/** Between columns, and between the segments of one. */
const gapShare = 0.18;
const gapUsual = 8;
/** The widest bar, in px: few days make no walls. */
const barMax = 64;
const segmentGap = 1;

/** One scale for both directions, from the highest column down to the lowest, with round ends. */
export function stackScale(
  series: readonly StackedSeries[],
  usual: readonly (number | null)[],
  height: number,
): Scale {
  const top = Math.max(highest(series.map(({ above }) => above)), max(usual, Number) ?? 0);
  const bottom = highest(series.flatMap(({ below, open }) => [below, open]));
  const isEmpty = top === 0 && bottom === 0;
  return linearScale([-bottom, isEmpty ? 1 : top], [height, 0]);
}

/** A path for each series in each direction; the first series is next to the line. */
export function stackPaths(
  series: readonly StackedSeries[],
  scale: Scale,
  column: { readonly width: number; x(index: number): number },
): StackedPaths {
  const zero = scale(0);
  const scaled = (value: number) => Math.abs(scale(value) - zero);
  const stacked = (
    pick: (each: StackedSeries) => readonly number[],
    sign: 1 | -1,
    reached: number[] = [],
  ) =>
    series.map((each) =>
      boxesPath(
        pick(each).map((value, index) => {
          const from = reached[index] ?? 0;
          const to = from + scaled(value);
          reached[index] = to;
          return segment(column, index, zero, sign, [from, to]);
        }),
      ),
    );
  const reachedBelow: number[] = [];
  return {
    above: stacked(({ above }) => above, 1),
    below: stacked(({ below }) => below, -1, reachedBelow),
    open: stacked(({ open }) => open, -1, reachedBelow),
  };
}

/** A short line over each column: what is usual there. */
export function usualPath(
  usual: readonly (number | null)[],
  scale: Scale,
  column: { readonly width: number; x(index: number): number },
): string {
  const inset = Math.max(column.width > 8 ? 1 : 0, (column.width - barMax) / 2 - 3);
  return usual
    .map((value, index) => {
      if (value === null) return '';
      const y = Math.round(scale(value) * 10) / 10;
      const x = Math.round((column.x(index) + inset) * 10) / 10;
      return `M${x} ${y}h${Math.round((column.width - 2 * inset) * 10) / 10}`;
    })
    .join('');
}

/** `reach`: from and to, in px from the line. What is less than a pixel has no gap. */
function segment(
  column: { readonly width: number; x(index: number): number },
  index: number,
  zero: number,
  sign: 1 | -1,
  [from, to]: readonly [number, number],
): Box {
  const gap = gapOf(column.width);
  const whole = to - from;
  const height = whole > 2 ? whole - segmentGap : whole;
  const y = sign === 1 ? zero - from - height : zero + from + (whole - height);
  return { x: column.x(index) + gap / 2, y, width: column.width - gap, height };
}

function gapOf(columnWidth: number): number {
  return Math.max(Math.min(gapUsual, columnWidth * gapShare), columnWidth - barMax);
}

function highest(rows: readonly (readonly number[])[]): number {
  const sums: number[] = [];
  for (const row of rows)
    row.forEach((value, index) => {
      sums[index] = (sums[index] ?? 0) + value;
    });
  return max(sums) ?? 0;
}
