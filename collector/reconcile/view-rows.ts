/** Rows of a list that the ledger answers page by page. */
import type { Ask } from './ask.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Only the finest rows have hours with sessions or branches: these make them answer. */
export const sinceEver = '&since=0001-01-01T00:00:00Z';

const pageRows = 1_000;
const pagesMax = 100_000;

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export async function* rowsOf(ask: Ask, path: string): AsyncGenerator<Row> {
  let cursor = '';
  for (let page = 0; page < pagesMax; page++) {
    const { rows, next } = (await ask(`${path}&limit=${pageRows}${cursor}`)) as Page;
    yield* rows;
    if (next === null) return;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  throw new Error(`${path} has more than ${pageRows * pagesMax} rows.`);
}
