/** Rows of usage as the series of stacked days: the largest names, and one for all others. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { median } from 'd3-array';
import { billings } from '../../../contract/answers/billings.ts';
import { usdOf } from '../format/money.ts';
import { tokensOf } from '../format/spend.ts';
import { addDays } from '../state/period.ts';
import { seriesClass, seriesMax } from './colours.ts';
import type { StackedSeries } from './stack.ts';

/** What the height of a bar is. */
export type Unit = 'usd' | 'tokens';

/** One for each name of `by`; null: not known. */
export type SeriesBy =
  | 'project'
  | 'branch'
  | 'model'
  | 'provider'
  | 'user'
  | 'kind'
  | 'agentKind'
  | 'agent';

/** What stands for a name that is not there: agents need none. */
export function nameless(by: SeriesBy): string {
  return by === 'agent' ? '(unnamed)' : '(unknown)';
}

export interface SpendOfDays {
  /** Days (`2026-11-22`) or weeks (`2026-W47`), the labels of rows. */
  readonly columns: readonly string[];
  readonly by: SeriesBy;
  /** The series, in the order of the table that is their legend; beyond five they are `other`. */
  readonly names: readonly (string | null)[];
  /** They cover at least those names, by column and `by`. */
  readonly rows: readonly UsageRow[];
  /** They cover all names, by column. */
  readonly totals: readonly UsageRow[];
  readonly unit: Unit;
  /** What is above the line; the other kinds are below it. */
  readonly billing: Billing;
}

/** `other`: the last, where names are left out that have spent. */
export function seriesOf(spend: SpendOfDays): readonly StackedSeries[] {
  const { columns, by } = spend;
  const names = spend.names.slice(0, seriesMax);
  const rest = sumsOf(columns, spend.totals);
  const series = names.map((name, index) => {
    const sums = sumsOf(
      columns,
      spend.rows.filter((row) => (row[by] ?? null) === name),
    );
    sums.forEach((sum, column) => {
      const left = rest[column];
      if (left !== undefined) subtract(left, sum);
    });
    return drawn(name ?? nameless(by), index, sums, spend);
  });
  const isLeft = rest.some((sum) => measures.some((name) => sum[name] > 0n));
  return isLeft ? [...series, drawn('other', seriesMax, rest, spend)] : series;
}

/** The names that spent most, by one billing after the other: their order in the table. */
export function ranked(
  rows: readonly UsageRow[],
  by: SeriesBy,
): readonly { readonly name: string | null; readonly row: UsageRow }[] {
  return rows
    .map((row) => ({ name: row[by] ?? null, row, sum: sumOf(row) }))
    .sort(
      (one, other) =>
        measures
          .map((name) => compare(other.sum[name], one.sum[name]))
          .find((order) => order !== 0) ?? 0,
    );
}

/** For each day: the median of the four such weekdays before it; null where `since` is later. */
export function usualOf(
  days: readonly string[],
  totals: readonly UsageRow[],
  counted: Counted,
  since: string,
): readonly (number | null)[] {
  const byDay = new Map(totals.map((row) => [columnOf(row), row]));
  return days.map((day) => {
    const before = [7, 14, 21, 28].map((back) => addDays(day, -back));
    if (before.some((each) => each < since)) return null;
    return median(before, (each) => heightOf(byDay.get(each), counted)) ?? null;
  });
}

/** What is measured by height. */
type Counted = Pick<SpendOfDays, 'unit' | 'billing'>;

const measures = [...billings, 'tokens'] as const;
type Sum = Record<(typeof measures)[number], bigint>;

function drawn(
  name: string,
  index: number,
  sums: readonly Sum[],
  { unit, billing }: Counted,
): StackedSeries {
  const isUsd = unit === 'usd';
  return {
    name,
    class: seriesClass(index),
    above: sums.map((sum) => (isUsd ? usdOf(sum[billing]) : Number(sum.tokens))),
    below:
      isUsd && billing === 'metered' ? sums.map(({ subscription }) => usdOf(subscription)) : [],
    open: isUsd && billing !== 'unknown' ? sums.map(({ unknown }) => usdOf(unknown)) : [],
  };
}

function sumsOf(columns: readonly string[], rows: readonly UsageRow[]): readonly Sum[] {
  const sums = new Map(columns.map((column) => [column, none()]));
  for (const row of rows) {
    const sum = sums.get(columnOf(row));
    if (sum === undefined) continue;
    const more = sumOf(row);
    for (const name of measures) sum[name] += more[name];
  }
  return [...sums.values()];
}

function sumOf(figures: UsageFigures): Sum {
  return {
    metered: BigInt(figures.meteredNanoUsd),
    subscription: BigInt(figures.subscriptionNanoUsd),
    unknown: BigInt(figures.unknownBillingNanoUsd),
    tokens: tokensOf(figures),
  };
}

function subtract(from: Sum, sum: Sum): void {
  for (const name of measures) from[name] -= sum[name];
}

function heightOf(row: UsageRow | undefined, { unit, billing }: Counted): number {
  if (row === undefined) return 0;
  const sum = sumOf(row);
  return unit === 'usd' ? usdOf(sum[billing]) : Number(sum.tokens);
}

/** The day or the week of a row. */
export function columnOf(row: UsageRow): string {
  return row.day ?? row.week ?? '';
}

function none(): Sum {
  return { metered: 0n, subscription: 0n, unknown: 0n, tokens: 0n };
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
