/** Numbers in the reader's locale. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const threeFigures = new Intl.NumberFormat(undefined, {
  maximumSignificantDigits: 3,
  minimumSignificantDigits: 3,
});

/** A sum of tokens may be text, where a double cannot hold it. */
export type Count = number | string | bigint;

export function formatCount(count: Count): string {
  return whole.format(typeof count === 'string' ? BigInt(count) : count);
}

/** `10 of 79`; `10 of more`, where it is not known of how many. */
export function ofAll(shown: number, all: number | null): string {
  return `${formatCount(shown)} of ${all === null ? 'more' : formatCount(all)}`;
}

/** Three figures from 10,000 on: `63.1M`, `1.03G`, as the command line writes them. */
export function shortCount(count: Count): string {
  const value = Number(count);
  const unit = units.find(({ size }) => value >= size * justBelow);
  if (value < 10_000 || unit === undefined) return formatCount(count);
  return `${threeFigures.format(value / unit.size)}${unit.name}`;
}

/** A unit begins where three figures of the one below would round up to it. */
const justBelow = 0.9995;
const units = [
  { name: 'T', size: 1e12 },
  { name: 'G', size: 1e9 },
  { name: 'M', size: 1e6 },
  { name: 'k', size: 1e3 },
] as const;

/** `41 MB` */
export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${formatCount(Math.ceil(bytes / 1e3))} kB` : `${shortBytes(bytes / 1e6)}`;
}

function shortBytes(megabytes: number): string {
  return megabytes < 1e4
    ? `${formatCount(Math.round(megabytes))} MB`
    : `${formatCount(Math.round(megabytes / 1e3))} GB`;
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

/** `1 more provider`, `2 more providers` */
export function moreWords(count: number, what: string): string {
  return `${formatCount(count)} more ${what}${count === 1 ? '' : 's'}`;
}
