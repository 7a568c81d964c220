/** What the compactions of one kind of billing cost and saved, with what has to be said of each. */
import type { CompactionTotalsOfBilling } from '@pi-ledger/contract/answers';
import type { Amount } from '../../format/amount.ts';

/** At least, where some told no cost; not known, where none did. */
export function costOf({
  costNanoUsd,
  summaries,
  unreportedCosts,
}: CompactionTotalsOfBilling): Amount {
  if (summaries > 0 && unreportedCosts === summaries) return { nanoUsd: null, mark: 'exact' };
  return { nanoUsd: BigInt(costNanoUsd), mark: unreportedCosts > 0 ? 'atLeast' : 'exact' };
}

/** At most, where a cost in it is not known. */
export function netOf({ netNanoUsd, nets, upperBoundNets }: CompactionTotalsOfBilling): Amount {
  if (nets === 0) return { nanoUsd: null, mark: 'exact' };
  return { nanoUsd: BigInt(netNanoUsd), mark: upperBoundNets > 0 ? 'atMost' : 'exact' };
}
