/** What a record says of its own cost: the one place that decides it. Pure. */
import type { Spend } from '@pi-ledger/contract';

type Priced = Pick<Spend, 'reported' | 'costSource' | 'costNanoUsd'>;

/** Reported, but without a price. */
export function isUnpriced({ reported, costSource, costNanoUsd }: Priced): boolean {
  return reported && (costSource === 'unpriced' || costNanoUsd === null);
}

/**
 * In 10^-9 USD. Null, and never 0, where it is not known: an amount that comes with a record which
 * says that it has no price, or that nothing was reported, counts nowhere.
 */
export function readPrice(spend: Priced): number | null {
  return spend.reported && !isUnpriced(spend) ? spend.costNanoUsd : null;
}
