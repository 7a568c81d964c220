/** What a table is made of: heads, rows, and what stands below them. */
import type { ComponentChildren, JSX } from 'preact';
import { ofAll } from '../format/count.ts';
import type { Column } from './table-column.ts';
import type { TableSort } from './table-rows.ts';

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: TableSort;
  onSort(column: string): void;
}

export function Head<Row>({ column, sort, onSort }: HeadProps<Row>): JSX.Element {
  const isSorted = sort.column === column.name;
  const direction = sort.isUp ? 'ascending' : 'descending';
  return (
    <th scope="col" class={classOf(column)} aria-sort={isSorted ? direction : undefined}>
      {column.sortBy === undefined ? (
        column.head
      ) : (
        <button type="button" onClick={() => onSort(column.name)}>
          {column.head}
          {isSorted && <span aria-hidden="true"> {sort.isUp ? '↑' : '↓'}</span>}
        </button>
      )}
    </th>
  );
}

interface RowProps<Row> {
  readonly row: Row;
  /** In the order of the table. */
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly isOpen: boolean;
  readonly story: ((row: Row) => ComponentChildren) | undefined;
}

export function TableRow<Row>({ row, index, columns, isOpen, story }: RowProps<Row>): JSX.Element {
  return (
    <>
      <tr
        class={isOpen ? 'open' : undefined}
        aria-selected={isOpen ? true : undefined}
        aria-rowindex={index + 2}
        data-row={index}
        tabIndex={-1}
      >
        {columns.map((column) => (
          <td key={column.name} class={classOf(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {isOpen && story !== undefined && (
        <tr class="story">
          <td colSpan={columns.length}>{story(row)}</td>
        </tr>
      )}
    </>
  );
}

/** The room of `count` rows that are not drawn. */
export function RowsAway(props: { count: number; rowPx: number; columns: number }) {
  if (props.count <= 0) return null;
  return (
    <tr class="rows-away">
      <td colSpan={props.columns} style={{ height: `${props.count * props.rowPx}px` }} />
    </tr>
  );
}

interface TotalsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly shown: number;
  /** It is null when their number is not known. */
  readonly all: number | null;
}

/** Over all rows that fit; the first cell says how many of them are shown. */
export function Totals<Row>({ columns, shown, all }: TotalsProps<Row>): JSX.Element {
  return (
    <tfoot>
      <tr>
        {columns.map((column, index) => (
          <td key={column.name} class={classOf(column)}>
            {column.total ?? (index === 0 ? ofAll(shown, all) : null)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

interface BelowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly shown: number;
  readonly all: number | null;
  /** It is null when there is no more. */
  readonly onMore: (() => void) | null;
}

/** How many rows are shown, the way to more of them, and which columns have no room. */
export function Below<Row>({ columns, shown, all, onMore }: BelowProps<Row>): JSX.Element {
  const first = columns.filter(({ goes }) => goes === 'first').length;
  const second = first + columns.filter(({ goes }) => goes === 'second').length;
  return (
    <>
      {onMore !== null && (
        <p class="more">
          {ofAll(shown, all)}.{' '}
          <button type="button" class="link" onClick={onMore}>
            More
          </button>
        </p>
      )}
      {first > 0 && <p class="more gone-first">{goneWords(first)}</p>}
      {second > 0 && <p class="more gone-second">{goneWords(second)}</p>}
    </>
  );
}

function goneWords(columns: number): string {
  return `${columns} ${columns === 1 ? 'column needs' : 'columns need'} a wider window.`;
}

function classOf<Row>({ isNumber, goes }: Column<Row>): string | undefined {
  const names = [
    ...(isNumber === true ? ['number'] : []),
    ...(goes === undefined ? [] : [`goes-${goes}`]),
  ];
  return names.length === 0 ? undefined : names.join(' ');
}
