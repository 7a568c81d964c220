/** Counts in sentences and columns. */
import { grouped } from '@pi-ledger/contract/amounts';
import type { Column } from './table.ts';

/** `3 records`; `plural` if an s is not enough. */
export function countOf(count: number | string, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

export function countColumn<Row>(
  title: string,
  dropOrder: number,
  count: (row: Row) => number | bigint | string,
): Column<Row> {
  return { title, align: 'right', dropOrder, cell: (row, { count: write }) => write(count(row)) };
}
