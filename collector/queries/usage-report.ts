/**
 * The report: sums of the usage rollup by one grouping, as rows and a total. Pure.
 *
 * The amounts of the three billing kinds stay apart: a subscription's amount is a list-price
 * equivalent, not a bill. Their sum is only used for sorting.
 */
import { figureNames, type UsageFigures } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { SumRow } from '../views/views.ts';
import { exactCount } from './exact-count.ts';

/**
 * The rollup's dimension for a grouping. For `tree` it is the session, whose id is then replaced by
 * its root's.
 */
export function dimensionOf(by: Grouping): string {
  if (by === 'tree') return 'session';
  return isTime(by) ? 'day' : by;
}

/** Whether the rows are sorted by time. */
export function isTime(by: Grouping): boolean {
  return by === 'day' || by === 'week' || by === 'month';
}

type FigureName = keyof UsageFigures;
type Sums = Record<FigureName, bigint>;

export interface ReportRow {
  /** Empty when unknown. */
  readonly label: string;
  readonly cost: bigint;
  readonly tokens: bigint;
  readonly figures: UsageFigures;
}

export interface Report {
  readonly rows: readonly ReportRow[];
  readonly total: UsageFigures;
}

/**
 * Contract: `sums` are grouped by `dimensionOf(by)` and `billing`. Rows are sorted by time, or by
 * cost, then tokens, then name.
 */
export function makeReport(by: Grouping, sums: readonly SumRow[]): Report {
  const dimension = dimensionOf(by);
  const byLabel = new Map<string, Sums>();
  const total = zero();
  for (const { dimensions, measures } of sums) {
    const label = labelOf(by, dimensions[dimension] ?? '');
    const row = byLabel.get(label) ?? zero();
    byLabel.set(label, row);
    for (const into of [row, total]) add(into, dimensions.billing ?? '', measures);
  }
  const rows = [...byLabel].map(([label, row]) => toRow(label, row));
  return { rows: rows.toSorted((a, b) => compareRows(by, a, b)), total: toFigures(total) };
}

/** What a row is sorted by: enough to find its position again. */
export type ReportPosition = Pick<ReportRow, 'label' | 'cost' | 'tokens'>;

export function compareRows(by: Grouping, a: ReportPosition, b: ReportPosition): number {
  return (
    (isTime(by) ? 0 : compare(b.cost, a.cost) || compare(b.tokens, a.tokens)) ||
    compare(a.label, b.label)
  );
}

/** The figures of no records at all. */
export function noFigures(): UsageFigures {
  return toFigures(zero());
}

/** The ISO week (Monday to Sunday) of a day. A week belongs to the year of its Thursday. */
export function isoWeekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs);
  const yearStartMs = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - yearStartMs) / (7 * dayMs)) + 1;
  return `${String(thursday.getUTCFullYear()).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

const dayMs = 86_400_000;

/** The label under the name of the grouping; null when unknown. */
export function labelled(
  by: Grouping,
  label: string,
): { readonly [Name in Grouping]?: string | null } {
  return { [by]: label === '' ? null : label };
}

/** The label of a dimension's value in this grouping; empty when unknown. */
export function labelOf(by: Grouping, value: string): string {
  if (value === '') return '';
  if (by === 'week') return isoWeekOf(value);
  return by === 'month' ? value.slice(0, 7) : value;
}

function zero(): Sums {
  return Object.fromEntries(figureNames.map((name) => [name, 0n])) as Sums;
}

/** Spent money is split by billing; the other figures have the same name in the rollup. */
const amountNames = ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'] as const;
const countNames = figureNames.filter((name) => !amountNames.some((amount) => amount === name));

function add(into: Sums, billing: string, measures: SumRow['measures']): void {
  for (const name of countNames) into[name] += measures[name] ?? 0n;
  into[amountName(billing)] += measures.nanoUsd ?? 0n;
}

function amountName(billing: string): (typeof amountNames)[number] {
  if (billing === 'metered') return 'meteredNanoUsd';
  return billing === 'subscription' ? 'subscriptionNanoUsd' : 'unknownBillingNanoUsd';
}

function toRow(label: string, sums: Sums): ReportRow {
  const cost = sums.meteredNanoUsd + sums.subscriptionNanoUsd + sums.unknownBillingNanoUsd;
  const tokens =
    sums.inputTokens + sums.outputTokens + sums.cacheReadTokens + sums.cacheWriteTokens;
  return { label, cost, tokens, figures: toFigures(sums) };
}

function toFigures(sums: Sums): UsageFigures {
  const entries = figureNames.map((name) => [
    name,
    name.includes('NanoUsd') ? sums[name].toString() : exactCount(sums[name]),
  ]);
  return Object.fromEntries(entries) as UsageFigures;
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
