/** What each compaction dropped, cost and saved, and the totals. */
import type { Compaction, CompactionDetails, CompactionList } from '@pi-ledger/contract/answers';
import type { Log } from '../../log/log.ts';
import { expectTimeZone } from '../time-zone.ts';
import type { VisibleViews } from '../visible-views.ts';
import { readContents } from './contents.ts';
import { findCompaction } from './find-compaction.ts';
import { toCompactionRow, toFullRow } from './row.ts';
import { type CompactionFilters, type Searched, searchRows } from './search.ts';
import { totalsBy, totalsOf } from './totals.ts';

export interface CompactionsAsked extends Searched {
  readonly log: Log;
}

/**
 * All matching rows, the newest first. Throws `bad_parameter`, and `not_found` for an unknown
 * session.
 */
export async function listCompactions(
  asked: Searched,
  visible: VisibleViews,
  filters: CompactionFilters,
): Promise<Omit<CompactionList, 'next'>> {
  const found = await searchRows(asked, visible, filters);
  const zone = filters.timezone === undefined ? null : expectTimeZone(filters.timezone);
  const all = found.map(({ row, state }): Compaction => toCompactionRow(row, state, zone));
  const rows = all.filter((row) => isAsked(row, filters));
  return {
    rows,
    total: totalsOf(rows),
    byProject: totalsBy('project', rows),
    byModel: totalsBy('model', rows),
  };
}

function isAsked(row: Compaction, { net, regret, cost }: CompactionFilters): boolean {
  return (
    (net === undefined || didNotPay(row)) &&
    (regret === undefined || (row.regretReads ?? 0) > 0) &&
    (cost === undefined || row.costSource === cost)
  );
}

/** Also if an unknown cost is left out of its net: with that cost it would be even lower. */
function didNotPay({ netNanoUsd }: Compaction): boolean {
  return netNanoUsd !== null && BigInt(netNanoUsd) < 0n;
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
