/** What a table is made of: heads, rows, and what stands below them. */
import type { ComponentChildren, JSX } from 'preact';
import { ofAll } from '../format/count.ts';
import type { Column } from './table-column.ts';
import { isSortable, type TableSort } from './table-rows.ts';

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: TableSort;
  onSort(column: string): void;
}

export function Head<Row>({ column, sort, onSort }: HeadProps<Row>): JSX.Element {
  const isSorted = sort.column === column.name;
  const direction = sort.isUp ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      data-column={column.name}
      class={classOf(column)}
      aria-sort={isSorted ? direction : undefined}
    >
      {isSortable(column) ? (
        <button type="button" onClick={() => onSort(column.name)}>
          {column.head}
          {isSorted && <span aria-hidden="true"> {sort.isUp ? '↑' : '↓'}</span>}
        </button>
      ) : (
        column.head
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
        onClick={openRow}
        onAuxClick={openRow}
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

/** A press anywhere on a row is one on its link, but on what is pressed for itself or selected. */
function openRow(event: MouseEvent & { readonly currentTarget: HTMLElement }): void {
  const link = event.currentTarget.querySelector<HTMLElement>('a, button[aria-expanded]');
  const isOwn = event.target instanceof Element && event.target.closest('a, button, input, label');
  if (link === null || isOwn || event.button > 1 || getSelection()?.isCollapsed === false) return;
  const isAside = event.button === 1 || event.ctrlKey || event.metaKey;
  if (isAside && link instanceof HTMLAnchorElement) window.open(link.href);
  else link.click();
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

interface BelowProps {
  readonly shown: number;
  readonly all: number | null;
  /** It is null when there is no more. */
  readonly onMore: (() => void) | null;
  /** So many columns have no room. */
  readonly gone: number;
  /** They are shown all the same. */
  readonly isWhole: boolean;
  onWhole(): void;
}

/** How many rows are shown, the way to more of them, and which columns have no room. */
export function Below(props: BelowProps): JSX.Element {
  const { shown, all, onMore, gone, isWhole, onWhole } = props;
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
      {gone > 0 && (
        <p class="more">
          {isWhole ? '' : `${gone} ${gone === 1 ? 'column has' : 'columns have'} no room. `}
          <button type="button" class="link" onClick={onWhole}>
            {isWhole ? 'Only columns that fit' : 'Show all'}
          </button>
        </p>
      )}
    </>
  );
}

function classOf<Row>({ isNumber }: Column<Row>): string | undefined {
  return isNumber === true ? 'number' : undefined;
}
