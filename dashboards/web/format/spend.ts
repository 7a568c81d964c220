/** Amounts of an answer's figures, by billing, with what has to be said of each. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { knownAmount } from '../../../contract/amounts.ts';
import { amountNames, type Billing } from '../../../contract/answers/billings.ts';
import type { Amount } from './amount.ts';

export function nanoUsdOf(figures: UsageFigures, billing: Billing): bigint {
  return BigInt(figures[amountNames[billing]]);
}

/** What each kind of money is called beside its amount. */
export const billingWords: Readonly<Record<Billing, string>> = {
  metered: 'metered',
  subscription: 'subscription',
  unknown: 'billing unknown',
};

/** As the sum of one. */
export function amountOf(figures: UsageFigures, billing: Billing): Amount {
  return amountOfAll([figures], billing);
}

/**
 * At least, where records without a price are left out, or extensions tell of their last answer
 * only; not known, where no record has a price, or none reported what it spent.
 */
export function amountOfAll(rows: readonly UsageFigures[], billing: Billing): Amount {
  const nanoUsd = rows.reduce((sum, row) => sum + nanoUsdOf(row, billing), 0n);
  const sum = (name: 'unpricedRecords' | 'unreportedRecords' | 'lowerBoundRecords') =>
    rows.reduce((all, { byBilling }) => all + byBilling[billing][name], 0);
  const known = knownAmount(nanoUsd, {
    unpricedRecords: sum('unpricedRecords'),
    unreportedRecords: sum('unreportedRecords'),
    lowerBoundRecords: sum('lowerBoundRecords'),
  });
  return { nanoUsd: known.nanoUsd, mark: known.isAtLeast ? 'atLeast' : 'exact' };
}

/** Whether there is something to show of it, known or not. */
export function hasAmount(rows: readonly UsageFigures[], billing: Billing): boolean {
  return amountOfAll(rows, billing).nanoUsd !== 0n;
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

/** Counts all that was sent, and what of it came from the cache. */
export function fromCache(figures: UsageFigures): { readonly read: bigint; readonly sent: bigint } {
  const read = BigInt(figures.cacheReadTokens);
  return {
    read,
    sent: read + BigInt(figures.inputTokens) + BigInt(figures.cacheWriteTokens),
  };
}
