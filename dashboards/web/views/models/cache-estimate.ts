/** What caches saved, of one kind of billing. Pure. */
import type { CacheFigures } from '@pi-ledger/contract/answers';

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

/** Whether there is something to show of it, known or not. */
export function hasEstimate(of: CacheFigures['metered'] | undefined): boolean {
  if (of === undefined) return false;
  return estimateOf(of, 'readsSavedNanoUsd') !== 0n || estimateOf(of, 'writesExtraNanoUsd') !== 0n;
}
