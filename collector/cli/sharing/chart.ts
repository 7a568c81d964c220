/**
 * Spend per day: metered above the line, what a subscription covers below it, outlined and pale, on
 * one scale. Geometry only; whoever draws it knows colours and letters.
 */

import { dollarText } from '@pi-ledger/contract/amounts';
import type { DaySpend } from '../output/answer-parts.ts';
import { formatDay } from '../output/format.ts';

export interface Plot {
  readonly width: number;
  readonly height: number;
  /** One for each day, 0 high where nothing was spent. */
  readonly above: readonly Bar[];
  readonly below: readonly Bar[];
  readonly lines: readonly { readonly y: number; readonly label: string }[];
  readonly zeroY: number;
  readonly left: number;
  readonly days: readonly { readonly x: number; readonly label: string }[];
}

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const size = { width: 960, height: 280 } as const;
const margin = { left: 64, right: 8, top: 24, bottom: 24 } as const;
const stepsMax = 6;
const dayLabelsMax = 10;
const gapShare = 0.25;

export function plotOf(days: readonly DaySpend[]): Plot {
  const above = days.map(({ meteredNanoUsd }) => meteredNanoUsd);
  const below = days.map(({ subscriptionNanoUsd }) => subscriptionNanoUsd);
  const [top, bottom] = [largestOf(above), largestOf(below)];
  const height = size.height - margin.top - margin.bottom;
  const all = Number(top + bottom) || 1;
  const zeroY = Math.round(margin.top + (height * Number(top)) / all);
  const high = (nanoUsd: bigint) => (height * Number(nanoUsd)) / all;
  const column = (size.width - margin.left - margin.right) / days.length;
  const bar = (index: number, nanoUsd: bigint, isBelow: boolean): Bar => ({
    x: margin.left + column * (index + gapShare / 2),
    y: isBelow ? zeroY : zeroY - high(nanoUsd),
    width: column * (1 - gapShare),
    height: high(nanoUsd),
  });
  return {
    ...size,
    left: margin.left,
    zeroY,
    above: above.map((nanoUsd, index) => bar(index, nanoUsd, false)),
    below: below.map((nanoUsd, index) => bar(index, nanoUsd, true)),
    lines: ticksOf(top, bottom).map((nanoUsd) => ({
      y: zeroY - high(nanoUsd),
      label: dollarText(nanoUsd < 0n ? -nanoUsd : nanoUsd, decimalsOf(top, bottom)),
    })),
    days: dayLabels(days.map(({ day }) => day)).map(({ index, label }) => ({
      x: margin.left + column * (index + 0.5),
      label,
    })),
  };
}

function largestOf(amounts: readonly bigint[]): bigint {
  let largest = 0n;
  for (const amount of amounts) if (amount > largest) largest = amount;
  return largest;
}

/** Multiples of 1, 2 or 5 times a power of ten; those below the line are negative. */
function ticksOf(top: bigint, bottom: bigint): readonly bigint[] {
  const step = stepOf(top + bottom);
  const upTo = (end: bigint) =>
    Array.from({ length: Number(end / step) }, (_, index) => step * BigInt(index + 1));
  return [0n, ...upTo(top), ...upTo(bottom).map((nanoUsd) => -nanoUsd)];
}

function stepOf(span: bigint): bigint {
  for (let power = 1n; ; power *= 10n)
    for (const digit of [1n, 2n, 5n])
      if (span <= power * digit * BigInt(stepsMax)) return power * digit;
}

const nanoUsdPerUsd = 1_000_000_000n;

/** As few as tell the ticks apart. */
function decimalsOf(top: bigint, bottom: bigint): number {
  const step = stepOf(top + bottom);
  let decimals = 0;
  for (let unit = nanoUsdPerUsd; unit > 1n && step % unit !== 0n; unit /= 10n) decimals += 1;
  return decimals === 1 ? 2 : decimals;
}

function dayLabels(days: readonly string[]) {
  const every = Math.ceil(days.length / dayLabelsMax);
  const last = days.at(-1) ?? '';
  const isOneYear = days[0]?.slice(0, 4) === last.slice(0, 4);
  return days.flatMap((day, index) =>
    index % every === 0 ? [{ index, label: formatDay(day, isOneYear ? last : '') }] : [],
  );
}
