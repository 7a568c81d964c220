/** A table: sorted by its heads, copied as CSV, some columns away where there is no room. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage, useStore } from '../state/page.ts';
import { withParameters } from '../state/place.ts';
import { type SortKey, sorted, type TableSort, toSort, toText } from './table-rows.ts';

export interface Column<Row> {
  /** In the URL and in the CSV. */
  readonly name: string;
  readonly head: ComponentChildren;
  cell(row: Row): ComponentChildren;
  /** Null: not known; sorts last both ways. Absent: not sorted by this. */
  readonly sortBy?: (row: Row) => SortKey;
  /** Exact, for the CSV; absent: what it is sorted by. */
  readonly csv?: (row: Row) => string;
  readonly isNumber?: boolean;
  /** Goes first below 960 px, or below 700 px. */
  readonly goes?: 'first' | 'second';
  /** Below the column: over all rows, not only those that are shown. */
  readonly total?: ComponentChildren;
}

export interface TableProps<Row> {
  /** In the URL. */
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly sort: TableSort;
  /** A row that is opened. */
  readonly openKey?: string | null;
  /** Below the open row. */
  readonly story?: (row: Row) => ComponentChildren;
  readonly hasTotals?: boolean;
}

const rowsAtOnce = 50;

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { columns, rows, name, label, openKey = null, hasTotals = false } = props;
  const page = usePage();
  const place = useStore(page.place);
  const [shownMax, setShownMax] = useState(rowsAtOnce);
  const sort = toSort(place.parameters.sort, name, columns) ?? props.sort;
  const shown = sorted(rows, columns, sort).slice(0, shownMax);
  const sortBy = (column: string) => {
    const isUp = sort.column === column && !sort.isUp;
    page.go(withParameters(place, { sort: toText(name, { column, isUp }) }), 'replace');
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="table" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} column={column} sort={sort} onSort={sortBy} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={props.keyOf(row)}
                row={row}
                columns={columns}
                isOpen={openKey !== null && props.keyOf(row) === openKey}
                story={props.story}
              />
            ))}
          </tbody>
          {hasTotals && (
            <tfoot>
              <tr>
                {columns.map((column) => (
                  <td key={column.name} class={classOf(column)}>
                    {column.total}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
      {rows.length > shownMax && (
        <p class="more">
          {shownMax} of {rows.length}.{' '}
          <button type="button" class="link" onClick={() => setShownMax(shownMax + rowsAtOnce)}>
            More
          </button>
        </p>
      )}
    </>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: TableSort;
  onSort(column: string): void;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>): JSX.Element {
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
  readonly columns: readonly Column<Row>[];
  readonly isOpen: boolean;
  readonly story: ((row: Row) => ComponentChildren) | undefined;
}

function Row<Row>({ row, columns, isOpen, story }: RowProps<Row>): JSX.Element {
  return (
    <>
      <tr class={isOpen ? 'open' : undefined} aria-selected={isOpen ? true : undefined}>
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

function classOf<Row>({ isNumber, goes }: Column<Row>): string | undefined {
  const names = [
    ...(isNumber === true ? ['number'] : []),
    ...(goes === undefined ? [] : [`goes-${goes}`]),
  ];
  return names.length === 0 ? undefined : names.join(' ');
}
