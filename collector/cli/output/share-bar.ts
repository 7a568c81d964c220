/** How full something is, for tables. */

const barCells = 10;

/** Rounded down: only what is full has a full bar. */
export function shareBar(share: number | null): string {
  if (share === null) return '';
  const full = Math.min(barCells, Math.floor(share * barCells));
  return '▇'.repeat(full) + '▁'.repeat(barCells - full);
}

/** `62 %`, rounded down; `n/a` for null. */
export function shareText(share: number | null): string {
  if (share === null) return 'n/a';
  const percent = share * 100;
  return `${percent > 0 && percent < 1 ? '<1' : String(Math.floor(percent))} %`;
}
