/**
 * The columns of a question (contract/answers/<question>/columns.ts) as those of a command's table,
 * and so of its documents. Each unit is written here, and nowhere else.
 */

import { dollarText, placesFor } from '@pi-ledger/contract/amounts';
import type { UsageFigures } from '@pi-ledger/contract/answers';
import {
  amountAt,
  chargeAt,
  columnsShown,
  nanoUsdAt,
  numberAt,
  percentileAt,
  shareAt,
  sumAt,
  textAt,
} from '@pi-ledger/contract/column-values';
import type { AnyColumn, ColumnOf, OnlyKeys, OwnCells, TableOf } from '@pi-ledger/contract/columns';
import { amountCell } from './amount-cell.ts';
import { durationText } from './compaction-row.ts';
import { percentileText } from './percentiles.ts';
import type { Column } from './table.ts';
import type { Writing } from './writing.ts';

type Cell<Row> = (row: Row, writing: Writing) => string;

interface Filling<Row, Columns extends readonly ColumnOf<Row>[], Cells> {
  readonly rows: readonly Row[];
  /** The largest figures, which choose decimals, and which amounts have a column. */
  readonly total?: object;
  /** By key: of columns that no unit writes, or that are written in another way. */
  readonly cells: Cells & OnlyKeys<Cells, Columns>;
}

export function tableColumns<
  Row extends object,
  const Columns extends readonly ColumnOf<Row>[],
  Cells extends OwnCells<Columns, 'command', Cell<Row>>,
>(
  { columns }: TableOf<Row, Columns>,
  { rows, total, cells }: Filling<Row, Columns, Cells>,
): readonly Column<Row>[] {
  const all = columns as readonly AnyColumn[];
  const shown = columnsShown(all, 'command', { rows, total: total ?? null });
  const places = placesFor(largestAmount(shown, total));
  const own = cells as object as Readonly<Record<string, Cell<Row> | undefined>>;
  return shown.map((column) => ({
    ...lookOf(column),
    cell: own[column.key] ?? cellOf(column, places),
  }));
}

function lookOf(column: AnyColumn): Omit<Column<never>, 'cell'> {
  const { title, drops = 0 } = column;
  return {
    title,
    align: isLeft(column) ? 'left' : 'right',
    dropOrder: drops,
    ...('widthMax' in column && column.widthMax ? { widthMax: column.widthMax } : {}),
    ...('widthKept' in column && column.widthKept ? { widthKept: column.widthKept } : {}),
    ...(column.is === 'id' ? { areIds: true } : {}),
  };
}

function isLeft(column: AnyColumn): boolean {
  if (column.is === 'own') return column.align !== 'right';
  return ['name', 'id', 'time', 'day'].includes(column.is);
}

/** Amounts that stand together have the same decimals. */
function largestAmount(shown: readonly AnyColumn[], total: object | undefined): bigint {
  return shown.reduce((most, column) => {
    if (total === undefined || (column.is !== 'amount' && column.is !== 'callCost')) return most;
    const nanoUsd = amountAt(total, column).nanoUsd ?? 0n;
    return nanoUsd > most ? nanoUsd : most;
  }, 0n);
}

type Units = {
  readonly [Unit in AnyColumn['is']]: (
    row: object,
    column: Extract<AnyColumn, { is: Unit }>,
    writing: Writing,
    places: number,
  ) => string;
};

const units: Units = {
  name: (row, { of }) => textAt(row, of) ?? '(unknown)',
  id: (row, { of }) => textAt(row, of) ?? '',
  time: (row, { of }, writing) => writing.time(textAt(row, of)),
  day: (row, { of }, writing) => {
    const day = textAt(row, of);
    return day ? writing.calendarDay(day) : '';
  },
  count: (row, { of }, writing) => orUnknown(numberAt(row, of), writing.count),
  tokens: (row, { of, isEstimated = false }, writing) =>
    orUnknown(sumAt(row, of), (tokens) => `${isEstimated ? '~' : ''}${writing.count(tokens)}`),
  rate: (row, { of }) => orUnknown(numberAt(row, of), (rate) => rate.toFixed(1)),
  duration: (row, { of }) => orUnknown(numberAt(row, of), durationText),
  percentile: (row, { of }) => percentileText(percentileAt(row, of)),
  share: (row, { part, of, places = 0 }) => {
    const share = shareAt(row, part, of);
    return share === null ? '–' : `${(share * 100).toFixed(places)} %`;
  },
  usd: (row, { of }) => {
    const nanoUsd = nanoUsdAt(row, of);
    return nanoUsd === null ? '–' : dollarText(nanoUsd, placesFor(nanoUsd));
  },
  amount: (row, { billing }, _writing, places) => amountCell(row as UsageFigures, billing, places),
  callCost: (row, column, _writing, places) => {
    const { nanoUsd, isAtLeast } = amountAt(row, column);
    if (nanoUsd === 0n) return '–';
    return orUnknown(nanoUsd, (known) => `${isAtLeast ? '≥ ' : ''}${dollarText(known, places)}`);
  },
  // Four decimals, since single answers are cheap.
  charge: (row, { billing }) => {
    const nanoUsd = chargeAt(row, billing);
    return nanoUsd === undefined ? '–' : orUnknown(nanoUsd, (known) => dollarText(known, 4));
  },
  own: () => '',
};

function cellOf(column: AnyColumn, places: number): Cell<object> {
  const write = units[column.is] as Units['own'] as (...given: unknown[]) => string;
  return (row, writing) => write(row, column, writing, places);
}

function orUnknown<Value>(value: Value | null, write: (value: Value) => string): string {
  return value === null ? 'n/a' : write(value);
}
