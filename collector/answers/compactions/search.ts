/**
 * Finds the rows of the audit that match: those that are kept (../audits/), or else those that are
 * computed (read-rows.ts).
 *
 * Like spend, a row belongs to the project, user, ... that its session had at the time.
 */
import type { Compaction } from '@pi-ledger/contract/answers';
import { inTurns } from '../../timers/in-turns.ts';
import { labelledSessions } from '../filters/label-filter.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { AuditedRow } from './audits/audited-sessions.ts';
import type { Audits, FoundRows } from './audits/audits.ts';
import { allTotalsOf } from './audits/totals.ts';
import { type CompactionFilters, questionOf, rowFilter, timeSpan } from './filters.ts';
import { readRows, type Searched } from './read-rows.ts';

export interface ListSearched extends Searched {
  readonly audits: Audits;
}

/**
 * The newest first, their days are the spender's, and their totals. Throws `bad_parameter`, and
 * `not_found` for a session that is not there.
 */
export async function searchRows(
  asked: ListSearched,
  visible: VisibleViews,
  search: CompactionFilters,
): Promise<FoundRows> {
  const isWanted = rowFilter(search);
  const found = async (rows: readonly AuditedRow[]): Promise<FoundRows> => {
    const wanted: Compaction[] = [];
    await inTurns(rows, (each) => {
      if (isWanted(each)) wanted.push(each.row);
    });
    return { rows: wanted, totals: await allTotalsOf(wanted) };
  };
  if (visible.where.length > 0 || search.session !== undefined)
    return found(await readRows(asked, visible, search));
  const labelled = await labelledSessions(visible, search);
  const kept = await asked.audits.between(timeSpan(search));
  if (kept === null) return found(await readRows(asked, visible, search));
  const { kind } = search;
  const foundIn = (): Promise<FoundRows> =>
    found(
      kept.rows.filter(
        ({ place }) =>
          (kind === undefined || kind.some((each) => each === place.kind)) &&
          (labelled?.has(place.session) ?? true),
      ),
    );
  return labelled === null ? kept.once(questionOf(search), foundIn) : foundIn();
}
