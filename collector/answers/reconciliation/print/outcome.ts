/** What a reconciliation came to, in a few figures. Pure. */
import type { Reconciled } from '@pi-ledger/contract/answers';
import type { Difference } from '../../../reconcile/difference.ts';
import { reasons } from '../../../reconcile/reasons.ts';
import type { Reconciliation } from '../../../reconcile/reconcile.ts';

export function outcomeOf(result: Reconciliation, at: string): Reconciled {
  const { isExplained, sessions, overall, read, totals } = result;
  const placed = [
    ...overall.map((difference) => ({ difference, session: null })),
    ...sessions.flatMap(({ sessionId, differences }) =>
      differences.map((difference) => ({ difference, session: sessionId })),
    ),
  ];
  const groups = Map.groupBy(placed, ({ difference }) => difference.reason);
  return {
    at,
    isExplained,
    files: read.files,
    sessions: sessions.length,
    records: Number(totals.inViews.records),
    reasons: [...groups.values()].flatMap(reasonOf).toSorted(faultsFirst),
  };
}

interface Placed {
  readonly difference: Difference;
  readonly session: string | null;
}

function reasonOf(group: readonly Placed[]): Reconciled['reasons'] {
  const [first] = group;
  if (first === undefined) return [];
  const { reason, explained } = first.difference;
  const ids = new Set(group.flatMap(({ session }) => session ?? []));
  const count = group.reduce((sum, { difference }) => sum + difference.count, 0);
  const { sentence } = reasons[reason];
  return [{ reason, isExplained: explained, sentence, sessions: ids.size, count }];
}

type Reason = Reconciled['reasons'][number];

function faultsFirst(one: Reason, other: Reason): number {
  if (one.isExplained !== other.isExplained) return one.isExplained ? 1 : -1;
  return other.count - one.count;
}
