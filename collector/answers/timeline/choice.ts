/** Which items of a time line are asked for. Pure. */
import type { Billing } from '@pi-ledger/contract/billings';
import type { CacheMiss } from '../context/cache-misses.ts';
import type { Item } from '../context/timeline-items.ts';
import type { Charges } from '../spend/charges.ts';

export const timelineChoices = ['costliest', 'failed', 'misses'] as const;
export type TimelineChoice = (typeof timelineChoices)[number];

interface Known {
  readonly chargeOf: Charges;
  readonly misses: readonly CacheMiss[];
}

/** In their order. Null: all. */
export function chosen(
  items: readonly Item[],
  only: TimelineChoice | null,
  { chargeOf, misses }: Known,
): readonly Item[] {
  switch (only) {
    case null:
      return items;
    case 'costliest': {
      const most = costliest(items, chargeOf);
      return items.filter((item) => most.has(item));
    }
    case 'failed':
      return items.filter(hasFailed);
    case 'misses': {
      const missed = new Set(misses.map(({ entryId }) => entryId));
      return items.filter(({ kind, id }) => kind === 'turn' && missed.has(id ?? ''));
    }
  }
}

const costliestMax = 50;

/** Picks from each kind of billing: amounts of two kinds are not compared. */
function costliest(items: readonly Item[], chargeOf: Charges): ReadonlySet<Item> {
  const charged = new Map<Billing, { item: Item; nanoUsd: bigint }[]>();
  for (const item of items) {
    const charge = chargeOf(item);
    if (charge === null || charge.nanoUsd <= 0n) continue;
    const some = charged.get(charge.billing) ?? [];
    charged.set(charge.billing, some);
    some.push({ item, nanoUsd: charge.nanoUsd });
  }
  return new Set([...charged.values()].flatMap(firstOf));
}

function firstOf(charged: { item: Item; nanoUsd: bigint }[]): Item[] {
  return charged
    .sort((left, right) => Number(right.nanoUsd - left.nanoUsd))
    .slice(0, costliestMax)
    .map(({ item }) => item);
}

function hasFailed({ kind, failed, spend }: Item): boolean {
  return failed || kind === 'retry' || spend?.reported === false;
}
