/**
 * What a kind of insight finds, and what it asks. A new kind is a file in `kinds/` and a line in
 * `registry.ts`.
 *
 * Contract: every number is a sum of the ledger, or computed from sums by a formula that the text
 * names. A finding is about one kind of billing.
 */
import type { Insight } from '@pi-ledger/contract/answers';
import type { Condition, SumRow } from '../../views/views.ts';
import type { WithSubagents } from '../sessions/with-subagents.ts';
import type { Examined } from './examined.ts';
import type { Span } from './period.ts';

export interface Finding {
  /** With the kind and the billing it makes the id: no figure and no time, so that it lasts. */
  readonly subject: readonly string[];
  readonly billing: string;
  readonly nanoUsd: bigint | null;
  readonly bound: Insight['bound'];
  /** The amount is more than before or than usual, not all that was spent. */
  readonly isChange: boolean;
  readonly title: string;
  readonly reason: string | null;
  /** The arguments of the command that shows the rows. */
  readonly command: readonly string[];
  /** The largest first. */
  readonly rows: readonly FindingRow[];
}

export interface FindingRow {
  readonly is: Insight['rows'][number]['is'];
  readonly id: string;
  readonly nanoUsd: bigint | null;
  readonly text: string;
  /** An entry has one. */
  readonly session?: string;
}

export interface InsightLedger {
  readonly period: Span;
  /** `the 30 days before, until the same hour`: what the period is compared with. */
  readonly beforeWords: string;
  /** The period and the filters, as options of a command. */
  readonly options: readonly string[];
  /** Sums of the rollup `usage`, by these of its dimensions. */
  sum(
    by: readonly string[],
    when: 'now' | 'before',
    where?: readonly Condition[],
  ): Promise<readonly SumRow[]>;
  /** Sums of the period by session, project and billing; read once. */
  bySession(): Promise<readonly SumRow[]>;
  /** Sums of the period by model, provider, project and billing; read once. */
  byModel(): Promise<readonly SumRow[]>;
  /** Sums by session, each with the session that its subagents are below as `tree`. */
  underMainSessions(sums: readonly SumRow[]): Promise<readonly SumRow[]>;
  /** In all its time and without a filter, as the session's own answer says it. */
  spentWithSubagents(session: string): Promise<WithSubagents>;
  /** The contexts of the sessions that spent most; read once. */
  examined(): Promise<Examined>;
  /** Whether the ledger has the period before as well. */
  hasBefore(): Promise<boolean>;
}

export interface InsightKind {
  readonly name: string;
  find(ledger: InsightLedger): Promise<readonly Finding[]>;
}

export function amountOf({ measures }: SumRow, name = 'nanoUsd'): bigint {
  return measures[name] ?? 0n;
}

export function dimension({ dimensions }: SumRow, name: string): string {
  return dimensions[name] ?? '';
}

/** Sums of rows that share a key, by it. */
export function totals<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  amountIn: (row: Row) => bigint,
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + amountIn(row));
  return sums;
}

/** Sums by fewer dimensions, in the order of their first rows; none comes to zero. */
export function totalsBy(rows: readonly SumRow[], by: readonly string[]): readonly SumRow[] {
  const sums = new Map<string, { dimensions: SumRow['dimensions']; all: SumRow[] }>();
  for (const row of rows) {
    const dimensions = Object.fromEntries(by.map((name) => [name, dimension(row, name)]));
    const key = by.map((name) => `${dimension(row, name).length} ${dimension(row, name)}`).join('');
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { dimensions, all: [row] });
    else known.all.push(row);
  }
  return [...sums.values()].flatMap(({ dimensions, all }) => {
    const [first] = all;
    if (first === undefined) return [];
    if (all.length === 1) return [{ dimensions, measures: first.measures }];
    const measures = Object.fromEntries(
      Object.keys(first.measures).map((name) => [
        name,
        all.reduce((sum, row) => sum + amountOf(row, name), 0n),
      ]),
    );
    return Object.values(measures).some((sum) => sum !== 0n) ? [{ dimensions, measures }] : [];
  });
}

export function byAmount(left: FindingRow, right: FindingRow): number {
  if (left.nanoUsd === right.nanoUsd) return left.id < right.id ? -1 : 1;
  if (left.nanoUsd === null) return 1;
  return right.nanoUsd === null || left.nanoUsd > right.nanoUsd ? -1 : 1;
}
