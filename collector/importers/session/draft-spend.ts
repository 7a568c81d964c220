/** Which drafts spend, and what happens to copies without a price. Pure. */
import type { Ownership } from '@pi-ledger/contract';
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { EntryOwner } from './lineage.ts';

export function hasSpend({ data }: EventDraft): boolean {
  return 'spend' in data && data.spend !== null;
}

export function unpricedKind(
  { isFileThere, isTooYoung }: EntryOwner,
  unpricesCopies: boolean,
): 'left to its owner' | 'left out' | 'drafts' {
  if (isFileThere) return 'left to its owner';
  return isTooYoung && unpricesCopies ? 'left out' : 'drafts';
}

export function markedBy(
  ownership: Ownership,
  drafts: readonly EventDraft[],
): readonly EventDraft[] {
  return drafts.map((draft) => ({ ...draft, ownership }));
}

/**
 * omp's `/tan` removes the price from copies, which changes the event's id. If the owner was
 * recorded under a session that no file names, both would count.
 */
export function isWithoutPrice({ data }: EventDraft): boolean {
  return (
    'spend' in data &&
    data.spend !== null &&
    data.spend.reported &&
    data.spend.costSource === 'unpriced'
  );
}
