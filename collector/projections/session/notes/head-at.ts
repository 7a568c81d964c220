/**
 * The commit that was checked out when something was spent. Pure.
 *
 * A change that was seen after a turn was made during it, so what was spent in its minute was spent
 * before; a change that was seen at the start of a session or a run was made before it.
 */
import type { Notes } from './notes.ts';

/** A branch without a commit yet. */
export const noCommit = 'none';

/** `here`: those of one branch. Empty when none was seen on it. */
export function headAt(here: Notes['heads'], minute: number): string {
  const head =
    here.findLast((each) => (each.data.afterTurn ? each.minute < minute : each.minute <= minute)) ??
    here[0];
  return head === undefined ? '' : (head.data.commit ?? noCommit);
}
