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
    notes: [
      ...(summaries > 0
        ? [
            {
              text: `${countOf(summaries, 'summary', 'summaries')} by an extension; the cost is not known`,
            },
          ]
        : []),
      ...(records > 0
        ? [
            {
              mark: '≥' as const,
              text: `${countOf(records, 'record')} of extensions, which tell their last answer only`,
            },
          ]
        : []),
    ],
  };
}

/** Entries of type `custom` are extensions' own. */
export function isLowerBound({ kind }: Pick<UsageRow, 'kind'>): boolean {
  return kind === 'custom';
}

/** Those of a row's billings that have an amount. */
export function boundedBillings(row: UsageRow): ReadonlySet<Amount['billing']> {
  return new Set(amounts.flatMap(({ field, billing }) => (row[field] === '0' ? [] : [billing])));
}
