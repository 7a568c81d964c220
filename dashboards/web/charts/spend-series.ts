/** Rows of usage as the series of stacked days: the largest names, and one for all others. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import { median } from 'd3-array';
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
}

/** `other`: the last, where names are left out that have spent. */
export function seriesOf(spend: SpendOfDays): readonly StackedSeries[] {
  const { columns, by, unit } = spend;
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
    return drawn(name ?? nameless(by), index, sums, unit);
  });
  const isLeft = rest.some((sum) => sum.metered > 0n || sum.subscription > 0n || sum.tokens > 0n);
  return isLeft ? [...series, drawn('other', seriesMax, rest, unit)] : series;
}

/** The names that spent most, metered before what subscriptions cover: their order in the table. */
export function ranked(
  rows: readonly UsageRow[],
  by: SeriesBy,
): readonly { readonly name: string | null; readonly row: UsageRow }[] {
  return rows
    .map((row) => ({ name: row[by] ?? null, row, sum: sumOf(row) }))
    .sort(
      (one, other) =>
        compare(other.sum.metered, one.sum.metered) ||
        compare(other.sum.subscription, one.sum.subscription) ||
        compare(other.sum.tokens, one.sum.tokens),
    );
}

/** For each day: the median of the four such weekdays before it; null where `since` is later. */
export function usualOf(
  days: readonly string[],
  totals: readonly UsageRow[],
  unit: Unit,
  since: string,
): readonly (number | null)[] {
  const byDay = new Map(totals.map((row) => [columnOf(row), row]));
  return days.map((day) => {
    const before = [7, 14, 21, 28].map((back) => addDays(day, -back));
    if (before.some((each) => each < since)) return null;
    return median(before, (each) => heightOf(byDay.get(each), unit)) ?? null;
  });
}

interface Sum {
  metered: bigint;
  subscription: bigint;
  tokens: bigint;
}

function drawn(name: string, index: number, sums: readonly Sum[], unit: Unit): StackedSeries {
  const isUsd = unit === 'usd';
  return {
    name,
    class: seriesClass(index),
    above: sums.map(({ metered, tokens }) => (isUsd ? usdOf(metered) : Number(tokens))),
    below: isUsd ? sums.map(({ subscription }) => usdOf(subscription)) : [],
  };
}

function sumsOf(columns: readonly string[], rows: readonly UsageRow[]): readonly Sum[] {
  const sums = new Map(columns.map((column) => [column, none()]));
  for (const row of rows) {
    const sum = sums.get(columnOf(row));
    if (sum === undefined) continue;
    const more = sumOf(row);
    sum.metered += more.metered;
    sum.subscription += more.subscription;
    sum.tokens += more.tokens;
  }
  return [...sums.values()];
}

function sumOf(figures: UsageFigures): Sum {
  return {
    metered: BigInt(figures.meteredNanoUsd),
    subscription: BigInt(figures.subscriptionNanoUsd),
    tokens: tokensOf(figures),
  };
}

function subtract(from: Sum, sum: Sum): void {
  from.metered -= sum.metered;
  from.subscription -= sum.subscription;
  from.tokens -= sum.tokens;
}

function heightOf(row: UsageRow | undefined, unit: Unit): number {
  if (row === undefined) return 0;
  return unit === 'usd' ? usdOf(row.meteredNanoUsd) : Number(tokensOf(row));
}

/** The day or the week of a row. */
export function columnOf(row: UsageRow): string {
  return row.day ?? row.week ?? '';
}

function none(): Sum {
  return { metered: 0n, subscription: 0n, tokens: 0n };
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
