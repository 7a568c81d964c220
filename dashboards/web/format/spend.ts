/** Amounts of an answer's figures, by billing, with what has to be said of each. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { Amount } from './amount.ts';

/** In the order in which they are shown. The contract's own list would bring its code along. */
export const billings: readonly Billing[] = ['metered', 'subscription', 'unknown'];

const fields = {
  metered: 'meteredNanoUsd',
  subscription: 'subscriptionNanoUsd',
  unknown: 'unknownBillingNanoUsd',
} as const;

export function nanoUsdOf(figures: UsageFigures, billing: Billing): bigint {
  return BigInt(figures[fields[billing]]);
}

/** At least, where records without a price are left out; not known, where all are. */
export function amountOf(figures: UsageFigures, billing: Billing): Amount {
  const nanoUsd = nanoUsdOf(figures, billing);
  const isPartial = figures.byBilling[billing].unpricedRecords > 0;
  if (isPartial && nanoUsd === 0n) return { nanoUsd: null, mark: 'exact' };
  return { nanoUsd, mark: isPartial ? 'atLeast' : 'exact' };
}

/** Input, output and cache. */
export function tokensOf(figures: UsageFigures): bigint {
  return (
    BigInt(figures.inputTokens) +
    BigInt(figures.outputTokens) +
    BigInt(figures.cacheReadTokens) +
    BigInt(figures.cacheWriteTokens)
  );
}

/** Of all that was sent: what came from the cache, and the whole. */
export function fromCache(figures: UsageFigures): { readonly read: bigint; readonly sent: bigint } {
  const read = BigInt(figures.cacheReadTokens);
  return {
    read,
    sent: read + BigInt(figures.inputTokens) + BigInt(figures.cacheWriteTokens),
  };
}
