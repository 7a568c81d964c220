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
import { tokensColumn } from '@pi-ledger/contract/spend-columns';
import { amountCell } from './amount-cell.ts';
import { durationText } from './compaction-row.ts';
import { percentileText } from './percentiles.ts';
import type { Column } from './table.ts';
import type { Writing } from './writing.ts';

type Cell<Row> = (row: Row, writing: Writing) => string;

interface Filling<Line, Columns extends readonly AnyColumn[], Cells> {
  /** They may say more than the answer's own. */
  readonly rows: readonly Line[];
  /** The largest figures, which choose decimals, and which amounts have a column. */
  readonly total?: object;
  /** By key: of columns that no unit writes, or that are written in another way. */
  readonly cells: Cells & OnlyKeys<Cells, Columns>;
  /** Keys of columns that would say nothing. */
  readonly without?: readonly Columns[number]['key'][];
  /** An import is not finished, so that sums grow. */
  readonly isGrowing?: boolean;
}

export function tableColumns<
  Row extends object,
  const Columns extends readonly ColumnOf<Row>[],
  Line extends Row,
  Cells extends OwnCells<Columns, 'command', Cell<Line>>,
>(
  { columns }: TableOf<Row, Columns>,
  { rows, total, cells, without = [], isGrowing = false }: Filling<Line, Columns, Cells>,
): readonly Column<Line>[] {
  const left: readonly string[] = without;
  const all = (columns as readonly AnyColumn[]).filter(({ key }) => !left.includes(key));
  const shown = columnsShown(all, 'command', { rows, total: total ?? null });
  const places = placesFor(largestAmount(shown, total));
  const own = cells as object as Readonly<Record<string, Cell<Line> | undefined>>;
  return shown.map((column) => {
    const cell = own[column.key] ?? cellOf(column, places);
    const grows = isGrowing && (column.is === 'amount' || column.key === tokensColumn.key);
    const areIds = column.is === 'id' && own[column.key] === undefined;
    return {
      ...lookOf(column),
      ...(areIds ? { areIds } : {}),
      cell: grows ? growing(cell) : cell,
    };
  });
}

/** Still counting: `$26.40…`, which says at least, too. */
function growing<Row>(cell: Cell<Row>): Cell<Row> {
  return (row, writing) => {
    const text = cell(row, writing);
    return /\d/.test(text) ? `${text.replace(/^≥ /, '')}…` : text;
  };
}

function lookOf(column: AnyColumn): Omit<Column<never>, 'cell'> {
  const { title, drops = 0 } = column;
  return {
    title,
    align: isLeft(column) ? 'left' : 'right',
    dropOrder: drops,
    ...('widthMax' in column && column.widthMax ? { widthMax: column.widthMax } : {}),
    ...('widthKept' in column && column.widthKept ? { widthKept: column.widthKept } : {}),
  };
}

function isLeft(column: AnyColumn): boolean {
  if ('align' in column) return column.align !== 'right';
  return ['name', 'id', 'time', 'day', 'own'].includes(column.is);
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
  name: (row, { of, isBlank }) => textAt(row, of) ?? (isBlank ? '' : '(unknown)'),
  id: (row, { of }) => textAt(row, of) ?? '',
  time: (row, { of, isDay = false }, writing) =>
    isDay ? writing.day(textAt(row, of)) : writing.time(textAt(row, of)),
  day: (row, { of }, writing) => {
    const day = textAt(row, of);
    return day ? writing.calendarDay(day) : '';
  },
  count: (row, { of, isBlank }, writing) => orUnknown(numberAt(row, of), writing.count, isBlank),
  tokens: (row, { of, isEstimated = false, isBlank }, writing) => {
    const mark = isEstimated ? '~' : '';
    return orUnknown(sumAt(row, of), (tokens) => `${mark}${writing.count(tokens)}`, isBlank);
  },
  rate: (row, { of }) => orUnknown(numberAt(row, of), (rate) => rate.toFixed(1)),
  duration: (row, { of, isBlank }) => orUnknown(numberAt(row, of), durationText, isBlank),
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

function orUnknown<Value>(
  value: Value | null,
  write: (value: Value) => string,
  isBlank = false,
): string {
  if (value === null) return isBlank ? '' : 'n/a';
  return write(value);
}
