/** Dollars of nano-dollars, in the reader's locale. */
import { exactUsd, roundedSteps, stepText } from '../../../contract/amounts.ts';
import type { Mark } from './amount.ts';

const formats = new Map<number, Intl.NumberFormat>();
function formatOf(places: number): Intl.NumberFormat {
  const held = formats.get(places);
  if (held !== undefined) return held;
  const made = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  formats.set(places, made);
  return made;
}

/** `$94.99`; less than the smallest step is `<$0.01`, never zero. */
export function formatMoney(nanoUsd: bigint, places = 2): string {
  const steps = roundedSteps(nanoUsd, places);
  const format = formatOf(places);
  if (steps === 0n && nanoUsd !== 0n) {
    const least = format.format(1 / 10 ** places);
    return nanoUsd < 0n ? `>−${least}` : `<${least}`;
  }
  const text = format.format(decimal(steps, places));
  return nanoUsd < 0n ? `−${text}` : text;
}

/** With a sign before what is not nothing: `+$44.15`, `<+$0.01`. */
export function formatSigned(nanoUsd: bigint, places = 2): string {
  const text = formatMoney(nanoUsd, places);
  if (nanoUsd <= 0n) return text;
  return text.startsWith('<') ? `<+${text.slice(1)}` : `+${text}`;
}

/**
 * An amount with its mark, of which there is one: `<$0.01` says already that it is at most so much,
 * and what is at least a part of a cent is more than nothing.
 */
export function formatMarked(
  { nanoUsd, mark }: { readonly nanoUsd: bigint; readonly mark: Mark },
  places: number,
  isChange: boolean,
): { readonly text: string; readonly mark: Mark } {
  const text = (isChange ? formatSigned : formatMoney)(nanoUsd, places);
  if (!/^[<>]/.test(text) || mark === 'counting') return { text, mark };
  const isOther = mark === (nanoUsd > 0n ? 'atLeast' : 'atMost');
  const nothing = formatMoney(0n, places);
  return { text: isOther ? `${nanoUsd > 0n ? '>' : '<'}${nothing}` : text, mark: 'exact' };
}

/** In a CSV; empty: not known. */
export function csvUsd(nanoUsd: bigint | null): string {
  return nanoUsd === null ? '' : exactUsd(nanoUsd);
}

/**
 * `$10`, `$0.50`, `$0.015`: at an axis alone, where values are round; with all their digits, but
 * `$20M`, for which there is room.
 */
export function formatUsd(usd: number): string {
  if (usd >= compactFrom) return compact.format(usd);
  const nanoUsd = BigInt(Math.round(usd * 1e9));
  let places = Number.isInteger(usd) ? 0 : 2;
  while (nanoUsd % 10n ** BigInt(9 - places) !== 0n) places += 1;
  return formatMoney(nanoUsd, places);
}

const compactFrom = 10_000;
const compact = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** For charts alone, which need no more than a pixel. */
export function usdOf(nanoUsd: bigint | string): number {
  return Number(nanoUsd) / 1e9;
}

/** Numbers in text keep all their digits. */
function decimal(steps: bigint, places: number): Intl.StringNumericLiteral {
  return stepText(steps, places, String) as Intl.StringNumericLiteral;
}
