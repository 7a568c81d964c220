/** How numbers and times are written for people; JSON and CSV do not use this. */

/**
 * A whole number in groups of three digits; text holds what a double cannot. `Intl` would take 25
 * ms to load, a tenth of a report.
 */
export function formatCount(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

const nanoUsdPerUsd = 1_000_000_000n;

/**
 * Dollars with `decimals` places (0 to 9), rounded half up. "$0.00" always means nothing: a smaller
 * amount is written as less than the smallest step (a negative one as more than its negative).
 */
export function formatNanoUsd(nanoUsd: bigint, decimals: number): string {
  const step = 10n ** BigInt(9 - decimals);
  const magnitude = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  const steps = (magnitude + step / 2n) / step;
  if (steps === 0n && magnitude > 0n) {
    return `${nanoUsd < 0n ? '>-' : '<'}$${decimalText(1n, decimals)}`;
  }
  return `${nanoUsd < 0n ? '-' : ''}$${decimalText(steps, decimals)}`;
}

/** Four decimals below $100, two above. */
export function decimalsFor(largestNanoUsd: bigint): number {
  return largestNanoUsd < 100n * nanoUsdPerUsd ? 4 : 2;
}

function decimalText(steps: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const whole = formatCount(steps / unit);
  return decimals === 0 ? whole : `${whole}.${(steps % unit).toString().padStart(decimals, '0')}`;
}

/** `2026-11-22 14:05`, in this time zone or the reader's own. */
export function formatTime(iso: string | null, timeZone?: string): string {
  if (iso === null) {
    return '';
  }
  const date = new Date(iso);
  if (timeZone !== undefined) {
    // Sweden writes dates as ISO does.
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(date);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
