/**
 * The columns of a question (contract/answers/<question>/columns.ts) as those of a table of the
 * page. Each unit is written here, and nowhere else.
 */
import type { ComponentChildren } from 'preact';
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
} from '../../../contract/answers/column-values.ts';
import type {
  AnyColumn,
  ColumnOf,
  OnlyKeys,
  OwnCells,
  TableOf,
} from '../../../contract/answers/columns.ts';
import { formatCount, shortCount } from '../format/count.ts';
import { csvUsd } from '../format/money.ts';
import { shortId } from '../format/session.ts';
import { formatDay, formatDuration, formatMoment } from '../format/time.ts';
import { Latency } from './latency.tsx';
import { Marked, None, NotKnown } from './marks.tsx';
import { Money, MoneyOrNone } from './money.tsx';
import { Name } from './name.tsx';
import type { Column, SortKey } from './table-column.ts';

/** What the page draws itself, or in another way than the column's unit says. */
type OwnCell<Row> = Pick<Column<Row>, 'cell'> &
  Partial<
    Pick<Column<Row>, 'head' | 'sortBy' | 'csv' | 'total' | 'goes' | 'unit' | 'facts' | 'isDrawn'>
  >;

interface Shown {
  /** Sums still grow. */
  readonly isCounting?: boolean;
  /** The day of whoever looks. */
  readonly today?: string;
}

interface Filling<Row, Columns extends readonly ColumnOf<Row>[], In, Cells, Only> extends Shown {
  /** The table, where the page has several of one question. */
  readonly in?: In;
  readonly rows: readonly Row[];
  /** Below the columns that add up; it says, too, which amounts have a column. */
  readonly total?: object | null;
  readonly cells: Cells & OnlyKeys<Cells, Columns>;
  /** Keys, where there is room for few of them. */
  readonly only?: readonly Only[];
}

export function pageColumns<
  Row extends object,
  const Columns extends readonly ColumnOf<Row>[],
  Cells extends OwnCells<Columns, In, OwnCell<Row>, Only>,
  In extends 'page' | 'errors' = 'page',
  Only extends Columns[number]['key'] = Columns[number]['key'],
>(
  { columns }: TableOf<Row, Columns>,
  { in: medium, rows, total = null, cells, only, ...shown }: Filling<Row, Columns, In, Cells, Only>,
): readonly Column<Row>[] {
  const own = cells as object as Readonly<Record<string, OwnCell<Row> | undefined>>;
  const keys: readonly string[] | undefined = only;
  const all = (columns as readonly AnyColumn[]).filter(({ key }) => keys?.includes(key) ?? true);
  const listed = columnsShown(all, medium ?? 'page', { rows, total });
  return listed.map((column) => ({
    ...lookOf(column),
    ...roomOf(column, listed),
    ...written(column, shown, total),
    ...own[column.key],
  }));
}

function lookOf(column: AnyColumn): Pick<Column<never>, 'name' | 'head' | 'isNumber'> {
  const { key, title, heading = title } = column;
  return {
    name: key,
    head: heading.replace(/^[a-z](?!\d)/, (letter) => letter.toUpperCase()),
    isNumber: 'align' in column ? column.align === 'right' : !texts.has(column.is),
  };
}

/** The name and the first figure are in any window. */
const staying = 2;

function roomOf(column: AnyColumn, listed: readonly AnyColumn[]): Pick<Column<never>, 'goes'> {
  const rank = listed
    .toSorted((one, other) => (one.drops ?? 0) - (other.drops ?? 0))
    .indexOf(column);
  return rank < staying ? {} : { goes: rank };
}

/** In the titles of a CSV. */
const unitNames: Partial<Readonly<Record<AnyColumn['is'], string>>> = {
  ...{ usd: 'USD', amount: 'USD', callCost: 'USD', charge: 'USD' },
  ...{ duration: 'ms', percentile: 'ms', rate: 'tokens/s', tokens: 'tokens', share: 'share' },
};

const texts: ReadonlySet<string> = new Set(['name', 'id', 'time', 'day', 'own']);
const summed: ReadonlySet<string> = new Set(['count', 'tokens', 'share', 'amount', 'callCost']);
const inDollars: ReadonlySet<string> = new Set(['usd', 'amount', 'callCost', 'charge']);

function written(
  column: AnyColumn,
  shown: Shown,
  total: object | null,
): Pick<Column<object>, 'cell' | 'sortBy' | 'csv' | 'total' | 'unit'> {
  if (column.is === 'own') return { cell: () => null };
  const { sortBy, cell } = units[column.is] as Unit<AnyColumn>;
  const keyOf = (row: object) => sortBy(row, column);
  const isInDollars = inDollars.has(column.is);
  return {
    cell: (row) => cell(row, column, shown),
    csv: (row) => (isInDollars ? csvUsd(keyOf(row) as bigint | null) : String(keyOf(row) ?? '')),
    sortBy: keyOf,
    ...(unitNames[column.is] === undefined ? {} : { unit: unitNames[column.is] }),
    ...(total !== null && summed.has(column.is) ? { total: cell(total, column, shown) } : {}),
  };
}

interface Unit<Column> {
  sortBy(row: object, column: Column): SortKey;
  cell(row: object, column: Column, shown: Shown): ComponentChildren;
}

type Units = {
  readonly [Name in Exclude<AnyColumn['is'], 'own'>]: Unit<Extract<AnyColumn, { is: Name }>>;
};

const text = (row: object, { of }: { readonly of: string }) => textAt(row, of);
const number = (row: object, { of }: { readonly of: string }) => numberAt(row, of);

const amount: Unit<Extract<AnyColumn, { is: 'amount' | 'callCost' }>> = {
  sortBy: (row, column) => amountAt(row, column).nanoUsd,
  cell(row, column, { isCounting = false }) {
    const { nanoUsd, isAtLeast } = amountAt(row, column);
    const mark = isCounting && nanoUsd !== null ? 'counting' : isAtLeast ? 'atLeast' : 'exact';
    return <MoneyOrNone nanoUsd={nanoUsd} mark={mark} />;
  },
};

const units: Units = {
  name: { sortBy: text, cell: (row, { of }) => <Name of={textAt(row, of)} /> },
  id: {
    sortBy: text,
    cell: (row, { of }) => <span class="mono quiet">{shortId(textAt(row, of) ?? '')}</span>,
  },
  time: {
    sortBy: text,
    cell: (row, { of }, { today = '' }) =>
      orUnknown(textAt(row, of), (time) => formatMoment(time, today)),
  },
  day: {
    sortBy: text,
    cell: (row, { of }, { today = '' }) =>
      orUnknown(textAt(row, of), (day) => formatDay(day, today)),
  },
  count: { sortBy: number, cell: (row, { of }) => orUnknown(numberAt(row, of), formatCount) },
  tokens: {
    sortBy: (row, { of }) => sumAt(row, of),
    cell: (row, { of, isEstimated = false }) =>
      orUnknown(sumAt(row, of), (tokens) => (
        <span title={formatCount(tokens)}>
          <Marked mark={isEstimated ? 'estimated' : 'exact'}>{shortCount(tokens)}</Marked>
        </span>
      )),
  },
  rate: {
    sortBy: number,
    cell: (row, { of }) => orNone(numberAt(row, of), Math.round),
  },
  duration: { sortBy: number, cell: (row, { of }) => orUnknown(numberAt(row, of), formatDuration) },
  percentile: {
    sortBy: (row, { of }) => percentileAt(row, of)?.ms ?? null,
    cell: (row, { of }) => <Latency of={percentileAt(row, of)} />,
  },
  share: {
    sortBy: (row, { part, of }) => shareAt(row, part, of),
    cell: (row, { part, of, places = 0 }) =>
      orNone(shareAt(row, part, of), (share) => `${(share * 100).toFixed(places)} %`),
  },
  usd: {
    sortBy: (row, { of }) => nanoUsdAt(row, of),
    cell: (row, { of }) =>
      orNone(nanoUsdAt(row, of), (nanoUsd) => <Money nanoUsd={nanoUsd} mark="exact" places={3} />),
  },
  amount,
  callCost: amount,
  charge: {
    sortBy: (row, { billing }) => chargeAt(row, billing) ?? null,
    cell(row, { billing }) {
      const nanoUsd = chargeAt(row, billing);
      return nanoUsd === undefined ? <None /> : <Money nanoUsd={nanoUsd} mark="exact" places={4} />;
    },
  },
};

function orUnknown<Value>(value: Value | null, write: (value: Value) => ComponentChildren) {
  return value === null ? <NotKnown /> : write(value);
}

function orNone<Value>(value: Value | null, write: (value: Value) => ComponentChildren) {
  return value === null ? <None /> : write(value);
}
