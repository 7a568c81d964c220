/**
 * A table: sorted by its heads, copied as CSV, some columns away where there is no room. Keys move
 * a cursor over its rows: `j`, `k` and the arrows; Enter opens a row's link, Space its story.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage, useStore } from '../state/page.ts';
import { withParameters } from '../state/place.ts';
import { indexAtCursor, moveRowCursor, openRowAtCursor } from './row-cursor.ts';
import type { Column } from './table-column.ts';
import { useFit } from './table-fit.ts';
import { Below, Head, RowsAway, TableRow, Totals } from './table-parts.tsx';
import { moreRows, sorted, type TableSort, toSort, toText } from './table-rows.ts';
import { useRowWindow } from './table-window.ts';

export interface TableProps<Row> {
  /** In the URL. */
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly sort: TableSort;
  /** How many rows there are, where `rows` are the first of them; null: not known. */
  readonly all?: number | null;
  /** Asks for rows after `rows`; absent: there are none. */
  readonly onMore?: (() => void) | undefined;
  /** Shown before `More` is pressed: 50 by default. */
  readonly first?: number;
  /** A row that is opened. */
  readonly openKey?: string | null;
  /** Below the open row. */
  readonly story?: (row: Row) => ComponentChildren;
  /** A row is to be opened; null: the open one is to be closed. */
  readonly onStory?: (key: string | null) => void;
  readonly hasTotals?: boolean;
}

const rowsAtOnce = 50;

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { rows, name, label, keyOf, first = rowsAtOnce, openKey = null } = props;
  const page = usePage();
  const place = useStore(page.place);
  const [shownMax, setShownMax] = useState(first);
  const sort = toSort(place.parameters.sort, name, props.columns) ?? props.sort;
  const all = props.columns.map((each) => (each.name === sort.column ? staying(each) : each));
  const [isWhole, setWhole] = useState(false);
  const fit = useFit(all, isWhole);
  const columns = isWhole ? all : all.filter(({ name: each }) => !fit.gone.has(each));
  const shown = sorted(rows, columns, sort).slice(0, shownMax);
  const { ref, window, rowPx } = useRowWindow(shown.length);
  const count = props.all === undefined ? rows.length : props.all;
  const sortBy = (column: string) => {
    const { isDownOnly = false } = columns.find((each) => each.name === column) ?? {};
    const isUp = sort.column === column && !sort.isUp && !isDownOnly;
    page.go(withParameters(place, { sort: toText(name, { column, isUp }) }), 'replace');
  };
  const more = moreOf(shownMax, rows.length, setShownMax, props.onMore);
  return (
    <>
      <section
        class="table"
        ref={fit.ref}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (isForRow(event) && onRowKey(event.key, shown, props)) event.preventDefault();
        }}
      >
        <table aria-rowcount={count === null ? -1 : count + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} column={column} sort={sort} onSort={sortBy} />
              ))}
            </tr>
          </thead>
          <tbody ref={ref}>
            <RowsAway count={window.from} rowPx={rowPx} columns={columns.length} />
            {shown.slice(window.from, window.to).map((row, index) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                index={window.from + index}
                columns={columns}
                isOpen={openKey !== null && keyOf(row) === openKey}
                story={props.story}
              />
            ))}
            <RowsAway count={shown.length - window.to} rowPx={rowPx} columns={columns.length} />
          </tbody>
          {props.hasTotals === true && (
            <Totals columns={columns} shown={shown.length} all={count} />
          )}
        </table>
      </section>
      <Below
        shown={shown.length}
        all={count}
        onMore={more}
        gone={fit.gone.size}
        isWhole={isWhole}
        onWhole={() => setWhole(!isWhole)}
      />
    </>
  );
}

/** What rows are sorted by is there in any window. */
function staying<Row>({ goes: _, ...column }: Column<Row>): Column<Row> {
  return column;
}

/** Returns null when every row is shown. */
function moreOf(
  shownMax: number,
  held: number,
  show: (rows: number) => void,
  ask: (() => void) | undefined,
): (() => void) | null {
  if (shownMax < held) return () => show(moreRows(shownMax));
  if (ask === undefined) return null;
  return () => {
    show(Number.POSITIVE_INFINITY);
    ask();
  };
}

/** Keys on buttons and links within a row are theirs. */
function isForRow(event: KeyboardEvent): boolean {
  const { target } = event;
  const isPlain = !(event.metaKey || event.ctrlKey || event.altKey);
  return isPlain && target instanceof Element && target.matches('.table, tr');
}

/** Whether the key was one of a table's. */
function onRowKey<Row>(
  key: string,
  shown: readonly Row[],
  { keyOf, openKey, onStory }: TableProps<Row>,
): boolean {
  if (key === 'j' || key === 'ArrowDown') return moveRowCursor(1);
  if (key === 'k' || key === 'ArrowUp') return moveRowCursor(-1);
  if (key === 'Enter') return openRowAtCursor();
  const index = indexAtCursor();
  const row = index === null ? undefined : shown[index];
  if (key !== ' ' || row === undefined || onStory === undefined) return false;
  onStory(keyOf(row) === openKey ? null : keyOf(row));
  return true;
}
