/** What stands in a column of a row, before anybody writes it. Null is not known. */
import { type KnownAmount, knownAmount } from '../amounts.ts';
import { amountNames, type Billing } from './billings.ts';
import type { AnyColumn, Charged, Medium } from './columns.ts';
import type { Percentile } from './timings.ts';
import type { ToolModelFigures } from './tools/models-schema.ts';
import type { UsageFigures } from './usage/schema.ts';

type Value = string | number | Percentile | null;

function valueAt(row: object, path: string): Value {
  return path
    .split('.')
    .reduce<object | null>(
      (value, name) => value && (Reflect.get(value, name) ?? null),
      row,
    ) as Value;
}

export function textAt(row: object, path: string): string | null {
  return valueAt(row, path) as string | null;
}

export function numberAt(row: object, path: string): number | null {
  return valueAt(row, path) as number | null;
}

export function percentileAt(row: object, path: string): Percentile | null {
  return valueAt(row, path) as Percentile | null;
}

export function nanoUsdAt(row: object, path: string): bigint | null {
  const text = textAt(row, path);
  return text === null ? null : BigInt(text);
}

/** The sum of counts, which are text where a double cannot hold them. */
export function sumAt(row: object, paths: readonly string[]): bigint | null {
  return paths.reduce<bigint | null>((sum, path) => {
    const count = valueAt(row, path);
    return sum === null || count === null ? null : sum + BigInt(count as number | string);
  }, 0n);
}

/** It is null, too, where there is nothing to have a share of. */
export function shareAt(row: object, part: string, whole: readonly string[]): number | null {
  const all = sumAt(row, whole);
  return all ? Number(valueAt(row, part)) / Number(all) : null;
}

type AmountColumn = Extract<AnyColumn, { is: 'amount' | 'callCost' }>;

export function amountAt(row: object, { is, billing }: AmountColumn): KnownAmount {
  return is === 'amount'
    ? amountOf(row as UsageFigures, billing)
    : callCostOf(row as ToolModelFigures, billing);
}

function amountOf(row: UsageFigures, billing: Billing): KnownAmount {
  return knownAmount(BigInt(row[amountNames[billing]]), row.byBilling[billing]);
}

function callCostOf(row: ToolModelFigures, billing: Billing): KnownAmount {
  const { unpricedCalls, unreportedCalls } = row.byBilling[billing];
  const without = { unpricedRecords: unpricedCalls, unreportedRecords: unreportedCalls };
  return knownAmount(BigInt(row[amountNames[billing]]), without);
}

/** It is undefined where it was billed in another way. */
export function chargeAt(row: object, billing: Billing): bigint | null | undefined {
  if ((row as Charged).billing !== billing) return undefined;
  return nanoUsdAt(row, 'costNanoUsd');
}

export interface Figures {
  readonly rows: readonly object[];
  /** The figures of all rows; null where there are none. */
  readonly total: object | null;
}

/**
 * Columns of amounts that nothing was spent of are left out, but for the usual two. These go, too,
 * where nobody said of anything how it is paid: that amount then stands in their place.
 */
export function columnsShown<Column extends AnyColumn>(
  columns: readonly Column[],
  medium: Medium,
  { rows, total }: Figures,
): readonly Column[] {
  const counted = total === null ? rows : [total];
  const shown = columns.filter(
    (column) => (column.in ?? usualMedia).includes(medium) && isShown(column, counted),
  );
  const money = shown.filter((column) => billingOf(column) !== null);
  const used = money.filter((column) => isUsed(column, counted));
  if (used.length === 0 || used.some((column) => billingOf(column) !== 'unknown')) return shown;
  return shown.flatMap((column) => {
    if (column === money[0]) return used;
    return money.includes(column) ? [] : [column];
  });
}

const usualMedia: readonly Medium[] = ['command', 'page', 'grafana'];

function isShown(column: AnyColumn, rows: readonly object[]): boolean {
  if (column.is === 'usd') return rows.some((row) => textAt(row, column.of) !== null);
  if (column.is === 'callCost') return isUsed(column, rows);
  return billingOf(column) !== 'unknown' || isUsed(column, rows);
}

/** The kind of money that a column is of. */
function billingOf(column: AnyColumn): Billing | null {
  const isMoney = column.is === 'amount' || column.is === 'charge' || column.is === 'callCost';
  return isMoney ? column.billing : null;
}

/** Whether something was spent of that kind, known or not. */
function isUsed(column: AnyColumn, rows: readonly object[]): boolean {
  if (column.is === 'charge')
    return rows.some((row) => chargeAt(row, column.billing) !== undefined);
  if (column.is !== 'amount' && column.is !== 'callCost') return false;
  return rows.some((row) => amountAt(row, column).nanoUsd !== 0n);
}
