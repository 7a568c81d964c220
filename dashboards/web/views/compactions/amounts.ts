/** Amounts of compactions, each of one kind of billing, with what has to be said of them. */
import type { Compaction, CompactionTotals } from '@pi-ledger/contract/answers';
import type { Amount } from '../../format/amount.ts';

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

export function hasCacheCost({ cacheMissNanoUsd, unknownCacheMisses }: TotalsOfBilling): boolean {
  return BigInt(cacheMissNanoUsd) !== 0n || unknownCacheMisses > 0;
}

export function hasNet({ nets, unknownNets }: TotalsOfBilling): boolean {
  return nets > 0 || unknownNets > 0;
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
