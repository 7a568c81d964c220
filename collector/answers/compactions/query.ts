/** What each compaction dropped, cost and saved, and the totals. */
import type { CompactionDetails, CompactionList } from '@pi-ledger/contract/answers';
import type { Log } from '../../log/log.ts';
import { expectTimeZone } from '../filters/time-zone.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { comparePlaces } from './audits/places.ts';
import { toFullRow } from './audits/row.ts';
import { readContents } from './contents.ts';
import { type CompactionFilters, dayIn } from './filters.ts';
import { findCompaction } from './find-compaction.ts';
import { type ListSearched, searchRows } from './search.ts';

export interface CompactionsAsked extends ListSearched {
  readonly log: Log;
}

export interface PageAsked {
  /** Where the page before ended; null: the first one. */
  readonly after: { readonly time: string; readonly id: string } | null;
  readonly limit: number;
}

/**
 * The first of the matching rows, newest first, and the totals of all of them. Throws
 * `bad_parameter`, and `not_found` for an unknown session.
 */
export async function listCompactions(
  asked: ListSearched,
  visible: VisibleViews,
  filters: CompactionFilters,
  { after, limit }: PageAsked,
): Promise<Omit<CompactionList, 'next'>> {
  const { rows: found, totals } = await searchRows(asked, visible, filters);
  const first = after === null ? 0 : found.findIndex((row) => comparePlaces(row, after) < 0);
  const page = first < 0 ? [] : found.slice(first, first + limit);
  if (filters.timezone === undefined) return { rows: page, ...totals };
  const zone = expectTimeZone(filters.timezone);
  return { rows: page.map((row) => ({ ...row, day: dayIn(row, zone) })), ...totals };
}

/**
 * `text`: the compaction's id, a prefix of it, or the id of its entry. Throws `not_found`, and
 * `bad_parameter` when several match.
 */
export async function compactionDetails(
  asked: CompactionsAsked,
  visible: VisibleViews,
  text: string,
): Promise<CompactionDetails> {
  const { row, state } = await findCompaction(asked, visible, text);
  return toFullRow(row, state, await readContents(asked.log, row));
}
