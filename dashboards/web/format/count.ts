/** Numbers in the reader's locale. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const threeFigures = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumSignificantDigits: 3,
  minimumSignificantDigits: 3,
});

/** A sum of tokens may be text, where a double cannot hold it. */
export type Count = number | string | bigint;

export function formatCount(count: Count): string {
  return whole.format(typeof count === 'string' ? BigInt(count) : count);
}

/** Three figures from 10,000 on: `63.1M`. */
export function shortCount(count: Count): string {
  return Number(count) < 10_000 ? formatCount(count) : threeFigures.format(Number(count));
}

/** `91 %`; a dash where there is nothing to have a share of. */
export function formatShare(part: Count, all: Count): string {
  if (Number(all) === 0) return '–';
  return `${Math.round((Number(part) / Number(all)) * 100)} %`;
}

/** `+87 %` and `−42 %` from `before`; a dash where nothing was before. */
export function formatChange(now: bigint, before: bigint): string {
  if (before === 0n) return '–';
  const percent = Math.round((Number(now - before) / Number(before)) * 100);
  return `${percent > 0 ? '+' : ''}${whole.format(percent)} %`.replace('-', '−');
}

/** 0 of none. */
export function largest(counts: readonly bigint[]): bigint {
  let most = 0n;
  for (const count of counts) if (count > most) most = count;
  return most;
}
