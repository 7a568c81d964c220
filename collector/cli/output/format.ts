/** How numbers and times are shown to people. JSON and CSV never pass through here. */

/**
 * A whole number (as text, where it is beyond what a double holds), in groups of three digits.
 * Without `Intl`, whose data takes 25 ms to load: a tenth of a report.
 */
export function formatCount(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

const nanoUsdPerUsd = 1_000_000_000n;

/**
 * Dollars with `decimals` places (0 to 9), rounded half up; an amount that would show as zero is
 * shown as less than the smallest step (a negative one as more than its negative), so that "$0.00"
 * always means nothing.
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

/** Small sums want small change: four places below $100, two above. */
export function decimalsFor(largestNanoUsd: bigint): number {
  return largestNanoUsd < 100n * nanoUsdPerUsd ? 4 : 2;
}

function decimalText(steps: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const whole = formatCount(steps / unit);
  return decimals === 0 ? whole : `${whole}.${(steps % unit).toString().padStart(decimals, '0')}`;
}

/** `2026-11-22 14:05`, in this time zone or the reader's own. `Intl` only where a zone is named. */
export function formatTime(iso: string | null, timeZone?: string): string {
  if (iso === null) {
    return '';
  }
  const date = new Date(iso);
  if (timeZone !== undefined) {
    // Swedish dates are ISO's.
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(date);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
