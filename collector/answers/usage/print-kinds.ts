/** What is not known of summaries that extensions made. Pure. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Note } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';

export interface KnownByKind {
  /** Records among the unreported ones: no attempts. */
  readonly summaries: number;
  readonly notes: readonly Note[];
}

/** `rows`: by kind. */
export function knownByKind(rows: readonly UsageRow[]): KnownByKind {
  const summaries = rows
    .filter(({ kind }) => kind === 'compaction' || kind === 'branch_summary')
    .reduce((sum, { unreportedRecords }) => sum + unreportedRecords, 0);
  const count = countOf(summaries, 'summary', 'summaries');
  const text = `${count} by an extension; the cost is not known`;
  return { summaries, notes: summaries === 0 ? [] : [{ text }] };
}
