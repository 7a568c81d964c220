/** The cells of the heat strip: three hours of a day each, or days of weeks. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { Unit } from '../../charts/spend-series.ts';
import { nanoUsdOf, tokensOf } from '../../format/spend.ts';
import { weekdayOf, weekOf } from './steps.ts';

/** What cells count: dollars of one kind of billing, or tokens. */
export type Counted = Billing | 'tokens';

export interface HeatCells {
  readonly columns: readonly string[];
  /** Top to bottom: hours of the day, or weekdays from Monday. */
  readonly rows: number;
  /** By column and row: nano-dollars or tokens. */
  readonly values: readonly (readonly bigint[])[];
  /**
   * Hours on a day of the reader's clock that is not among the columns are in no cell, but here.
   */
  readonly beside: bigint;
  /** A row has this many hours, from 0 on; null where rows are weekdays. */
  readonly hoursEach: number | null;
}

const hoursEach = 3;
const hoursOfDay = 24;
export const shades = 5;

/** `columns`: days or weeks. `localHour`: the day and the hour on the reader's clock. */
export function heatOf(
  columns: readonly string[],
  rows: readonly UsageRow[],
  counted: Counted,
  localHour: (iso: string) => { readonly day: string; readonly hour: number },
): HeatCells {
  if (columns[0]?.includes('W')) return weeksHeat(columns, rows, counted);
  const cells = rows.flatMap((row) => {
    if (typeof row.hour !== 'string') return [];
    const { day, hour } = localHour(row.hour);
    return [{ column: day, row: Math.floor(hour / hoursEach), value: valueIn(row, counted) }];
  });
  const rowCount = hoursOfDay / hoursEach;
  const values = filled(columns, rowCount, cells);
  return { columns, rows: rowCount, values, beside: besideOf(columns, cells), hoursEach };
}

/** By column: the nano-dollars of unknown billing, which are in no cell of another kind. */
export function unknownOf(
  columns: readonly string[],
  rows: readonly UsageRow[],
  localHour: Parameters<typeof heatOf>[3],
): readonly bigint[] {
  const { values } = heatOf(columns, rows, 'unknown', localHour);
  return values.map((column) => column.reduce((sum, each) => sum + each, 0n));
}

/** 1 to 5 by the share of the highest; 0 for nothing. */
export function shadeOf(value: bigint, highest: bigint): number {
  return value <= 0n ? 0 : Math.ceil((Number(value) / Number(highest)) * shades);
}

export function countedOf(unit: Unit, billing: Billing): Counted {
  return unit === 'tokens' ? 'tokens' : billing;
}

function weeksHeat(
  columns: readonly string[],
  rows: readonly UsageRow[],
  counted: Counted,
): HeatCells {
  const cells = rows.flatMap((row) =>
    typeof row.day === 'string'
      ? [{ column: weekOf(row.day), row: weekdayOf(row.day), value: valueIn(row, counted) }]
      : [],
  );
  return { columns, rows: 7, values: filled(columns, 7, cells), beside: 0n, hoursEach: null };
}

interface Cell {
  readonly column: string;
  readonly row: number;
  readonly value: bigint;
}

function besideOf(columns: readonly string[], cells: readonly Cell[]): bigint {
  const shown = new Set(columns);
  return cells.reduce((sum, { column, value }) => (shown.has(column) ? sum : sum + value), 0n);
}

function filled(
  columns: readonly string[],
  rows: number,
  cells: readonly Cell[],
): readonly (readonly bigint[])[] {
  const values = new Map(columns.map((column) => [column, new Array<bigint>(rows).fill(0n)]));
  for (const { column, row, value } of cells) {
    const held = values.get(column);
    if (held !== undefined) held[row] = (held[row] ?? 0n) + value;
  }
  return [...values.values()];
}

function valueIn(row: UsageRow, counted: Counted): bigint {
  return counted === 'tokens' ? tokensOf(row) : nanoUsdOf(row, counted);
}
