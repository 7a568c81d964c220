/** What an item of a time line cost, each kind of billing apart. Pure. */
import type { CostsByBilling, TimelineItem } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { billings } from '../../../../../contract/answers/billings.ts';
import type { Amount } from '../../../format/amount.ts';

/** The kinds that occur. */
export function billingsIn(costs: Partial<Record<Billing, unknown>>): readonly Billing[] {
  return billings.filter((billing) => costs[billing] !== undefined);
}

/** Returns null for an item that spends nothing in this way. */
export function costOfItem(item: TimelineItem, billing: Billing, isOnly: boolean): Amount | null {
  const { run, merged, subagent, costSource } = item;
  if (run !== null) {
    const { costs, turns, unpriced } = run;
    return costOf(costs, billing, { isOnly: isOnly && turns > 0, unpriced });
  }
  if (subagent !== null) {
    const { costs, unpriced, unreported } = subagent;
    return costOf(costs, billing, { isOnly: isOnly && unpriced + unreported > 0, unpriced });
  }
  if (merged !== null) {
    const { unpriced, unreported } = merged;
    return costOf(item.costs, billing, { isOnly: isOnly && unpriced + unreported > 0, unpriced });
  }
  return costOf(item.costs, billing, {
    isOnly: isOnly && (costSource === 'unpriced' || costSource === 'unreported'),
    unpriced: 0,
  });
}

interface Known {
  /** Whatever it spent, it spent in this way. */
  readonly isOnly: boolean;
  readonly unpriced: number;
}

function costOf(costs: CostsByBilling, billing: Billing, known: Known): Amount | null {
  const nanoUsd = costs[billing];
  if (nanoUsd !== undefined)
    return { nanoUsd: BigInt(nanoUsd), mark: known.unpriced > 0 ? 'atLeast' : 'exact' };
  return known.isOnly ? { nanoUsd: null, mark: 'exact' } : null;
}
