/**
 * How amounts are written: one rounding, and one rule for what nobody knows, on the page, in
 * commands, in messages and in the agent. It needs no library, so each of them can have it.
 */

/** Records that an amount leaves out, or of which it has only a part. */
export interface Without {
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
  /** Records of extensions, which tell their last answer only; absent where nobody counts them. */
  readonly lowerBoundRecords?: number;
}

export interface KnownAmount {
  /** It is null where no record has a price, or none reported what it spent: `n/a`, never $0.00. */
  readonly nanoUsd: bigint | null;
  /** More was spent than it says: `≥`. */
  readonly isAtLeast: boolean;
}

export function knownAmount(nanoUsd: bigint, without: Without): KnownAmount {
  const { unpricedRecords, unreportedRecords, lowerBoundRecords = 0 } = without;
  if (nanoUsd === 0n && unpricedRecords + unreportedRecords > 0)
    return { nanoUsd: null, isAtLeast: false };
  return { nanoUsd, isAtLeast: unpricedRecords + lowerBoundRecords > 0 };
}

/** The magnitude in steps of `places` decimal places (0 to 9), rounded half up. */
export function roundedSteps(nanoUsd: bigint, places: number): bigint {
  const step = 10n ** BigInt(9 - places);
  const magnitude = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  return (magnitude + step / 2n) / step;
}

/**
 * `$1,234.50`. `$0.00` always means nothing: a smaller amount is written as less than the smallest
 * step (`<$0.01`), a negative one as more than its negative (`>-$0.01`).
 */
export function dollarText(nanoUsd: bigint, places: number): string {
  const steps = roundedSteps(nanoUsd, places);
  const isNegative = nanoUsd < 0n;
  if (steps === 0n && nanoUsd !== 0n) return `${isNegative ? '>-' : '<'}$${stepText(1n, places)}`;
  return `${isNegative ? '-' : ''}$${stepText(steps, places)}`;
}

/** Four places where the largest of what stands together is below a dollar, else two. */
export function placesFor(largestNanoUsd: bigint): number {
  return largestNanoUsd < nanoPerDollar ? 4 : 2;
}

/**
 * A whole number in groups of three digits; text holds what a double cannot. `Intl` would take 25
 * ms to load, a tenth of a report.
 */
export function grouped(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Reads an exact decimal with up to nine places: dollars as nano-dollars, other units likewise. */
export function billionths(decimal: string): bigint {
  const [whole = '0', rest = ''] = decimal.split('.');
  return BigInt(whole) * nanoPerDollar + BigInt(rest.slice(0, 9).padEnd(9, '0'));
}

const nanoPerDollar = 1_000_000_000n;

/** Also for numbers in text alone: `1234.50` without groups has all its digits. */
export function stepText(steps: bigint, places: number, group = grouped): string {
  const unit = 10n ** BigInt(places);
  const whole = group(steps / unit);
  return places === 0 ? whole : `${whole}.${String(steps % unit).padStart(places, '0')}`;
}

/** Dollars with all their digits and no zeros after them, for CSV and titles: `1.23456789`. */
export function exactUsd(nanoUsd: bigint): string {
  return decimalText(nanoUsd, 9);
}

/** An integer of 10^-digits as a decimal number, exactly: `0.0123`. */
export function decimalText(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = `${amount < 0n ? -amount : amount}`.padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
