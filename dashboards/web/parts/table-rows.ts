/** The rows of a table: their order, and their CSV. */
import { sanitizeLine } from '../../../core/text/sanitize.ts';
import type { Column, Fact, SortKey } from './table-column.ts';

export interface TableSort {
  readonly column: string;
  readonly isUp: boolean;
}

type Sortable<Row> = Fact<Row> & Pick<Column<Row>, 'facts' | 'isDrawn'>;

/** `projects:metered:up`, or null: it is of another table or names no column. */
export function toSort<Row>(
  text: string | undefined,
  table: string,
  columns: readonly Sortable<Row>[],
): TableSort | null {
  const [name, column = '', direction] = text?.split(':') ?? [];
  const isKnown = columns.some((each) => each.name === column && isSortable(each));
  return name === table && isKnown ? { column, isUp: direction === 'up' } : null;
}

export function toText(table: string, { column, isUp }: TableSort): string {
  return `${table}:${column}:${isUp ? 'up' : 'down'}`;
}

export function isSortable<Row>({ sortBy, csv, isDrawn }: Sortable<Row>): boolean {
  return sortBy !== undefined || (csv !== undefined && isDrawn !== true);
}

/** What is not known comes last both ways; rows that are equal keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  { column, isUp }: TableSort,
): readonly Row[] {
  const by = columns.find(({ name }) => name === column);
  if (by === undefined || !isSortable(by)) return rows;
  return rows.toSorted((left, right) => {
    const [one, other] = [keyIn(by, left), keyIn(by, right)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return (isUp ? 1 : -1) * compare(one, other);
  });
}

/** Numbers of a CSV are numbers. */
function keyIn<Row>({ sortBy, csv }: Sortable<Row>, row: Row): SortKey {
  if (sortBy !== undefined) return sortBy(row);
  const text = csv?.(row) ?? '';
  if (text === '') return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function compare(one: string | number | bigint, other: string | number | bigint): number {
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How many rows are shown next: 200, then all, of which those near the screen are drawn. */
export function moreRows(shownMax: number): number {
  return shownMax < 200 ? 200 : Number.POSITIVE_INFINITY;
}

/**
 * RFC 4180, with a head that names units, of the columns that have figures: not of bars. A cell
 * that a spreadsheet would run is quoted by an apostrophe.
 */
export function csvOf<Row>(all: readonly Sortable<Row>[], rows: readonly Row[]): string {
  const columns = all
    .filter(({ isDrawn }) => isDrawn !== true)
    .flatMap((column): readonly Fact<Row>[] => column.facts ?? [column])
    .filter(({ csv, sortBy }) => csv !== undefined || sortBy !== undefined);
  const lines = rows.map((row) => columns.map((column) => cellOf(column, row)));
  return [columns.map(titleOf), ...lines]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
}

function titleOf<Row>({ name, unit }: Fact<Row>): string {
  return unit === undefined ? name : `${name} (${unit})`;
}

function cellOf<Row>({ csv, sortBy }: Fact<Row>, row: Row): string {
  return csv === undefined ? String(sortBy?.(row) ?? '') : csv(row);
}

function quoted(text: string): string {
  const safe = withoutFormula(sanitizeLine(text));
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** As in the API's CSV: blanks do not help, nor do the wide signs of East Asian scripts. */
function withoutFormula(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) && !/^-\d+(\.\d+)?$/.test(text)
    ? `'${text}`
    : text;
}
