import type { ComponentChildren } from 'preact';

/** A key is null when it is not known. */
export type SortKey = string | number | bigint | null;

/** A column of a CSV. */
export interface Fact<Row> {
  readonly name: string;
  readonly unit?: string;
  readonly csv?: (row: Row) => string;
  readonly sortBy?: (row: Row) => SortKey;
}

/** A column of a table of the page. */
export interface Column<Row> {
  /** In the URL and in the CSV. */
  readonly name: string;
  readonly head: ComponentChildren;
  cell(row: Row): ComponentChildren;
  /** Rows with a null key sort last both ways. Absent: what the CSV has. */
  readonly sortBy?: (row: Row) => SortKey;
  /** The API sorts by it, over all pages, and has no order but the largest first. */
  readonly isDownOnly?: boolean;
  /** Exact, for the CSV; absent: what it is sorted by. */
  readonly csv?: (row: Row) => string;
  /** In the title of the CSV: `USD`, `ms`. */
  readonly unit?: string;
  /** What the CSV has of a cell that tells several facts. */
  readonly facts?: readonly Fact<Row>[];
  /** A picture of what other columns say: not in the CSV. */
  readonly isDrawn?: boolean;
  readonly isNumber?: boolean;
  /** Where there is no room the highest goes first, of equals the last; absent: it stays. */
  readonly goes?: number | undefined;
  /** Below the column: over all rows, not only those that are shown. */
  readonly total?: ComponentChildren;
}
