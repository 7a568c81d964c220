/**
 * What is not known of spend by its kind: summaries that extensions made, and side questions of
 * theirs, of which only the last answer is told. Pure.
 */
import type { UsageRow } from '@pi-ledger/contract/answers';
import { type Amount, amounts } from './amounts-text.ts';
import type { Note } from './answer-parts.ts';
import { countOf } from './usage-table.ts';

export interface KnownByKind {
  /** Records among the unreported ones: no attempts. */
  readonly summaries: number;
  /** Billings whose amount is a lower bound. */
  readonly atLeast: ReadonlySet<Amount['billing']>;
  readonly notes: readonly Note[];
}

/** `rows`: by kind. */
export function knownByKind(rows: readonly UsageRow[]): KnownByKind {
  const summaries = rows
    .filter(({ kind }) => kind === 'compaction' || kind === 'branch_summary')
    .reduce((sum, { unreportedRecords }) => sum + unreportedRecords, 0);
  const told = rows.filter(isLowerBound);
  const records = told.reduce((sum, row) => sum + row.records, 0);
  return {
    summaries,
    atLeast: new Set(told.flatMap((row) => [...boundedBillings(row)])),
    notes: [...summaryNotes(summaries), ...lowerBoundNotes(records)],
  };
}

function summaryNotes(count: number): readonly Note[] {
  const text = `${countOf(count, 'summary', 'summaries')} by an extension; the cost is not known`;
  return count === 0 ? [] : [{ text }];
}

function lowerBoundNotes(count: number): readonly Note[] {
  const text = `${countOf(count, 'record')} of extensions, which tell their last answer only`;
  return count === 0 ? [] : [{ mark: '≥', text }];
}

/** Entries of type `custom` are extensions' own. */
export function isLowerBound({ kind }: Pick<UsageRow, 'kind'>): boolean {
  return kind === 'custom';
}

/** Those of a row's billings that have an amount. */
export function boundedBillings(row: UsageRow): ReadonlySet<Amount['billing']> {
  return new Set(amounts.flatMap(({ field, billing }) => (row[field] === '0' ? [] : [billing])));
}
