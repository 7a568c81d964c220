/** What caches saved, of one kind of billing. Pure. */
import type { CacheFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { shownBillings } from '../overview/sums.ts';

export type CacheField = 'readsSavedNanoUsd' | 'writesExtraNanoUsd';

/**
 * Returns null when it is not known, also where nothing but tokens without a price was cached;
 * never zero then.
 */
export function estimateOf(of: CacheFigures['metered'], field: CacheField): bigint | null {
  const text = of[field];
  const isLeftOut = Number(of.leftOutTokens) > 0;
  return text === null || (isLeftOut && BigInt(text) === 0n) ? null : BigInt(text);
}

/** The kinds of money that caches saved some of, known or not; the main one first. */
export function cachedBillings(total: CacheFigures | undefined): readonly [Billing, ...Billing[]] {
  return shownBillings((billing) => total !== undefined && hasEstimate(total[billing]));
}

function hasEstimate(of: CacheFigures['metered']): boolean {
  return estimateOf(of, 'readsSavedNanoUsd') !== 0n || estimateOf(of, 'writesExtraNanoUsd') !== 0n;
}
