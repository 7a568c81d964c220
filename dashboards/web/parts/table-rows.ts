/** The rows of a table: their order, and their CSV. */
import { sanitizeLine } from '../../../core/text/sanitize.ts';

/** A key is null when it is not known. */
export type SortKey = string | number | bigint | null;

export interface TableSort {
  readonly column: string;
  readonly isUp: boolean;
}

interface Sortable<Row> {
  readonly name: string;
  readonly sortBy?: (row: Row) => SortKey;
  readonly csv?: (row: Row) => string;
}

/** `projects:metered:up`, or null: it is of another table or names no column. */
export function toSort<Row>(
  text: string | undefined,
  table: string,
  columns: readonly Sortable<Row>[],
): TableSort | null {
  const [name, column = '', direction] = text?.split(':') ?? [];
  const isKnown = columns.some((each) => each.name === column && each.sortBy !== undefined);
  return name === table && isKnown ? { column, isUp: direction === 'up' } : null;
}

export function toText(table: string, { column, isUp }: TableSort): string {
  return `${table}:${column}:${isUp ? 'up' : 'down'}`;
}

/** What is not known comes last both ways; rows that are equal keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  { column, isUp }: TableSort,
): readonly Row[] {
  const sortBy = columns.find(({ name }) => name === column)?.sortBy;
  if (sortBy === undefined) return rows;
  return rows.toSorted((left, right) => {
    const [one, other] = [sortBy(left), sortBy(right)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return (isUp ? 1 : -1) * compare(one, other);
  });
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
 * RFC 4180, with a head, of the columns that have figures: not of bars. A cell that a spreadsheet
 * would run is quoted by an apostrophe.
 */
export function csvOf<Row>(all: readonly Sortable<Row>[], rows: readonly Row[]): string {
  const columns = all.filter(({ csv, sortBy }) => csv !== undefined || sortBy !== undefined);
  const lines = rows.map((row) => columns.map((column) => cellOf(column, row)));
  return [columns.map(({ name }) => name), ...lines]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
}

function cellOf<Row>({ csv, sortBy }: Sortable<Row>, row: Row): string {
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
