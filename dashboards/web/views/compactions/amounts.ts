/** Amounts of compactions, each of one kind of billing, with what has to be said of them. */
import type { Compaction, CompactionTotals } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { Amount } from '../../format/amount.ts';
import { shownBillings } from '../overview/sums.ts';

export type TotalsOfBilling = CompactionTotals['byBilling']['metered'];

/** Not known where no summary's cost is. */
export function summaryCost(totals: TotalsOfBilling): Amount {
  const { costNanoUsd, unreportedCosts, summaries } = totals;
  const isNothingKnown = summaries > 0 && unreportedCosts === summaries;
  return sum(costNanoUsd, { unknown: unreportedCosts, isNothingKnown });
}

/** What the first answers after compactions paid again for what the cache had held. */
export function cacheWrittenAnew(totals: TotalsOfBilling): Amount {
  const { cacheMissNanoUsd, unknownCacheMisses } = totals;
  const isNothingKnown = unknownCacheMisses > 0 && BigInt(cacheMissNanoUsd) === 0n;
  return sum(cacheMissNanoUsd, { unknown: unknownCacheMisses, isNothingKnown });
}

type TotalAmount = (totals: TotalsOfBilling) => Amount;

/** The kinds of money that have some of an amount; where none has, the main one of them all. */
export function billingsOfSum(
  { byBilling }: Pick<CompactionTotals, 'byBilling'>,
  amount: TotalAmount,
): readonly [Billing, ...Billing[]] {
  const has = (billing: Billing, of: TotalAmount) => {
    const { nanoUsd, mark } = of(byBilling[billing]);
    return nanoUsd !== 0n || mark !== 'exact';
  };
  const amounts = [summaryCost, cacheWrittenAnew, netSum];
  const [main] = shownBillings((billing) => amounts.some((of) => has(billing, of)));
  return shownBillings((billing) => has(billing, amount), main);
}

/** At most so much, where a net in it is. */
export function netSum({ netNanoUsd, nets, upperBoundNets, unknownNets }: TotalsOfBilling): Amount {
  if (nets === 0 && unknownNets > 0) return notKnown;
  return { nanoUsd: BigInt(netNanoUsd), mark: upperBoundNets > 0 ? 'atMost' : 'exact' };
}

export function costOf({ costNanoUsd }: Pick<Compaction, 'costNanoUsd'>): Amount {
  return costNanoUsd === null ? notKnown : { nanoUsd: BigInt(costNanoUsd), mark: 'exact' };
}

export function netOf(row: Pick<Compaction, 'netNanoUsd' | 'netIsUpperBound'>): Amount {
  if (row.netNanoUsd === null) return notKnown;
  const mark = row.netIsUpperBound === true ? 'atMost' : 'exact';
  return { nanoUsd: BigInt(row.netNanoUsd), mark };
}

const notKnown: Amount = { nanoUsd: null, mark: 'exact' };

function sum(text: string, of: { unknown: number; isNothingKnown: boolean }): Amount {
  if (of.isNothingKnown) return notKnown;
  return { nanoUsd: BigInt(text), mark: of.unknown > 0 ? 'atLeast' : 'exact' };
}
