/**
 * Other sessions whose files hold copies of this session's entries, by id. Beyond the limit, the
 * alphabetically last are left out.
 */
import type { EventData } from '@pi-ledger/contract';

export type Copy = EventData<'pi.session.copied.v1'>;

/** When the same session is reported twice, the certain report wins, then the larger number. */
export function addCopy(
  copies: Map<string, Copy>,
  { copySessionId, entries, spendEntries, ownerAssumed }: Copy,
  copiesMax: number,
): void {
  const copy: Copy = { copySessionId, entries, spendEntries, ownerAssumed };
  const known = copies.get(copySessionId);
  if (known === undefined || compareCopies(copy, known) > 0) copies.set(copySessionId, copy);
  if (copies.size <= copiesMax) return;
  const last = [...copies.keys()].sort().at(-1);
  if (last !== undefined) copies.delete(last);
}

function compareCopies(left: Copy, right: Copy): number {
  return (
    Number(right.ownerAssumed) - Number(left.ownerAssumed) ||
    left.entries - right.entries ||
    left.spendEntries - right.spendEntries
  );
}
