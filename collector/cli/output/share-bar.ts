/** How full something is, for tables. */
import { shareText as knownShareText } from '@pi-ledger/core/text/share-text';

const barCells = 10;

/** Rounded down: only what is full has a full bar. */
export function shareBar(share: number | null): string {
  if (share === null) return '';
  const full = Math.min(barCells, Math.floor(share * barCells));
  return '▇'.repeat(full) + '▁'.repeat(barCells - full);
}

/** `62 %`, rounded down; `n/a` for null. */
export function shareText(share: number | null): string {
  return share === null ? 'n/a' : knownShareText(share);
}
