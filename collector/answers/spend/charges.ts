/** What an item of a time line costs, and how that is billed. Pure. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import { type Billing, readBilling } from '@pi-ledger/contract/billings';
import { toMinute } from '../../projections/session/calendar.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';
import type { Item } from '../context/timeline-items.ts';

interface Charge {
  readonly billing: Billing;
  readonly nanoUsd: bigint;
}

/** It is null for what costs nothing, has no price, or belongs to an ignored project. */
export type Charges = (item: Item) => Charge | null;

export function createCharges({ timeline }: SessionState): Charges {
  return ({ time, spend }) => {
    if (spend === null || spend.costNanoUsd === null) return null;
    const { billing, isIgnored } = labelsAt(timeline, toMinute(time), spend.provider);
    const nanoUsd = BigInt(spend.costNanoUsd);
    return isIgnored ? null : { billing: readBilling(billing), nanoUsd };
  };
}

/** Returns null for what spends nothing of its own. */
export function costSourceOf({ spend }: Item): TimelineItem['costSource'] {
  if (spend === null) return null;
  if (!spend.reported) return 'unreported';
  return spend.costNanoUsd === null ? 'unpriced' : 'priced';
}
