/**
 * The documents of several cells in the order of one query, read in pages: as many of a cell as it
 * contributes, and little more.
 */
import type { Projection, Scalar } from '../../projections/projection.ts';
import { compareStored } from '../../views/stored-order.ts';
import type { DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';

/** Without an end: its limit is how many the caller expects. */
export async function* inOrder(
  cells: readonly ViewsReader[],
  projection: Projection,
  query: DocumentQuery,
): AsyncGenerator<ViewDocument> {
  const { orderBy } = query;
  const sign = orderBy.descending ? -1 : 1;
  const pageRows = Math.min(query.limit, 2 * Math.ceil(query.limit / cells.length) + pageRowsMore);
  const sources = cells.map((cell) => sourceOf(cell, projection, { ...query, limit: pageRows }));
  for (;;) {
    await Promise.all(sources.map((source) => source.fill()));
    let first: { readonly source: Source; readonly document: ViewDocument } | undefined;
    for (const source of sources) {
      const document = source.next();
      if (document === undefined) continue;
      if (first === undefined || sign * compare(orderBy.column, document, first.document) < 0)
        first = { source, document };
    }
    if (first === undefined) return;
    first.source.take();
    yield first.document;
  }
}

/** A lookup of a few keys is one page, however they are spread. */
const pageRowsMore = 8;

export function sortValue({ key, columns }: ViewDocument, column: string): Scalar {
  return column === 'key' ? key : (columns[column] ?? null);
}

function compare(column: string, left: ViewDocument, right: ViewDocument): number {
  return (
    compareStored(sortValue(left, column), sortValue(right, column)) ||
    compareStored(left.key, right.key)
  );
}

interface Source {
  /** Reads on, where it has nothing in hand and there may be more. */
  fill(): Promise<void>;
  next(): ViewDocument | undefined;
  take(): void;
}

function sourceOf(cell: ViewsReader, projection: Projection, query: DocumentQuery): Source {
  let page: readonly ViewDocument[] = [];
  let taken = 0;
  let isEnd = false;
  let { after } = query;
  return {
    async fill() {
      if (taken < page.length || isEnd) return;
      page = await cell.find(projection, { ...query, ...(after === undefined ? {} : { after }) });
      taken = 0;
      isEnd = page.length < query.limit;
      const last = page.at(-1);
      if (last !== undefined)
        after = { value: sortValue(last, query.orderBy.column), key: last.key };
    },
    next: () => page[taken],
    take() {
      taken += 1;
    },
  };
}
