/**
 * The commit that was checked out when something was spent. Pure.
 *
 * A change that was seen after a turn was made during it, so what was spent in its minute was spent
 * before; a change that was seen at the start of a session or a run was made before it.
 */
import type { Notes } from './notes.ts';

/** A branch without a commit yet. */
export const noCommit = 'none';

/** Empty when none was seen on the branch. */
export function headAt(heads: Notes['heads'], branch: string, minute: number): string {
  const here = heads.filter(({ data }) => data.project.branch === branch);
  const head =
    here.findLast((each) => (each.data.afterTurn ? each.minute < minute : each.minute <= minute)) ??
    here[0];
  return head === undefined ? '' : (head.data.commit ?? noCommit);
}
