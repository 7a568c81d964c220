/** The marks of the two upper charts of a session: a path for each series. Pure. */
import type { ContextSeriesPoint } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { type Box, boxesPath } from '../../../charts/paths.ts';
import { usdOf } from '../../../format/money.ts';
import type { Slot } from './slots.ts';
import type { TimeScale } from './time-scale.ts';

export interface Series {
  readonly name: string;
  /** It names the colour; `hatched`: nobody measured it. */
  readonly look: 's0' | 's1' | 's2' | 's3' | 's4' | 's5' | 'hatched';
  readonly words: string;
}

export const bandSeries = [
  { name: 'system', look: 's3', words: 'system, tools' },
  { name: 'answers', look: 's1', words: 'answers, calls' },
  { name: 'toolResults', look: 's2', words: 'tool results' },
  { name: 'prompts', look: 's4', words: 'prompts, summary' },
  { name: 'unexplained', look: 'hatched', words: 'not explained' },
] as const satisfies readonly Series[];

export const costSeries = [
  { name: 'input', look: 's1', words: 'new input' },
  { name: 'cache', look: 's5', words: 'from cache' },
  { name: 'output', look: 's2', words: 'output' },
  { name: 'other', look: 's0', words: 'not split' },
  { name: 'summary', look: 's4', words: 'summary' },
  { name: 'unreported', look: 'hatched', words: 'reported nothing' },
] as const satisfies readonly Series[];

export interface Drawn {
  readonly series: Series;
  readonly path: string;
}

/** From a value to px from the top. */
export type Height = (value: number) => number;

export function bandPaths(slots: readonly Slot[], scale: TimeScale, y: Height): readonly Drawn[] {
  return pathsOf(bandSeries, slots, scale, y, ({ point }) => bandsAt(point));
}

/** `least`: the height of what reported nothing, in dollars. */
export function costPaths(
  slots: readonly Slot[],
  scale: TimeScale,
  y: Height,
  { billing, least }: { readonly billing: Billing; readonly least: number },
): readonly Drawn[] {
  return pathsOf(costSeries, slots, scale, y, ({ point }) => costsAt(point, billing, least));
}

/** The highest of the columns, in dollars. */
export function costliest(slots: readonly Slot[], billing: Billing): number {
  return slots.reduce((most, { point }) => {
    const values = costsAt(point, billing, 0);
    return Math.max(
      most,
      values.reduce((sum, value) => sum + value, 0),
    );
  }, 0);
}

/** In the order of the series. What is only estimated is hatched as a whole. */
function bandsAt({ kind, source, tokens, bands }: ContextSeriesPoint): readonly number[] {
  if (kind !== 'turn') return [];
  if (source !== 'provider') return [0, 0, 0, 0, tokens ?? 0];
  return bandSeries.map(({ name }) => bands[name]);
}

function costsAt(
  { byBilling }: ContextSeriesPoint,
  billing: Billing,
  least: number,
): readonly number[] {
  const cost = byBilling[billing];
  if (cost === undefined) return [];
  return [
    usdOf(cost.inputNanoUsd) + usdOf(cost.cacheWriteNanoUsd),
    usdOf(cost.cacheReadNanoUsd),
    usdOf(cost.outputNanoUsd),
    Math.max(0, usdOf(cost.otherNanoUsd)),
    usdOf(cost.summaryNanoUsd),
    cost.unreportedRecords > 0 ? least : 0,
  ];
}

function pathsOf(
  series: readonly Series[],
  slots: readonly Slot[],
  scale: TimeScale,
  y: Height,
  valuesOf: (slot: Slot) => readonly number[],
): readonly Drawn[] {
  const boxes: Box[][] = series.map(() => []);
  for (const [index, slot] of slots.entries()) {
    const [left, right] = scale.column(index);
    const width = right - left - (right - left > 4 ? 0.8 : 0);
    let sum = 0;
    for (const [which, value] of valuesOf(slot).entries()) {
      const [bottom, top] = [y(sum), y(sum + value)];
      boxes[which]?.push({ x: left, y: top, width, height: bottom - top });
      sum += value;
    }
  }
  return series.map((each, which) => ({ series: each, path: boxesPath(boxes[which] ?? []) }));
}
