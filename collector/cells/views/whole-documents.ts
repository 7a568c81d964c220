/**
 * Documents whose parts are in several cells, joined. A part's columns may differ from those of the
 * whole, so that order and conditions are decided by the whole.
 */
import type { Joining, Part, Projection } from '../../projections/projection.ts';
import { documentFits } from '../../views/match-condition.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import { inOrder, sortValue } from './in-order.ts';

/** A projection with parts in several cells. */
export interface Joined {
  readonly projection: Projection;
  readonly joining: Joining<unknown>;
}

/**
 * Each whole has a part with its own value in the sort column: it is found where that part stands,
 * and passed over where the others do.
 */
export async function findWhole(
  cells: readonly ViewsReader[],
  joined: Joined,
  query: DocumentQuery,
): Promise<readonly ViewDocument[]> {
  const found = new Map<string, ViewDocument>();
  for await (const whole of wholesInOrder(cells, joined, query)) {
    found.set(whole.key, whole);
    if (found.size === query.limit) break;
  }
  const documents = [...found.values()];
  return query.bodies === false ? documents.map((each) => ({ ...each, body: '' })) : documents;
}

async function* wholesInOrder(
  cells: readonly ViewsReader[],
  joined: Joined,
  query: DocumentQuery,
): AsyncGenerator<ViewDocument> {
  const { column } = query.orderBy;
  for await (const parts of candidates(cells, joined, query)) {
    const wholes = await joinDocuments(cells, joined, [...new Set(parts.map(({ key }) => key))]);
    for (const part of parts) {
      const whole = wholes.get(part.key);
      const isItsPlace =
        whole !== undefined && sortValue(whole, column) === sortValue(part, column);
      if (isItsPlace && documentFits(whole, query.where)) yield whole;
    }
  }
}

/** As `find` with these conditions would count them. */
export async function countWhole(
  cells: readonly ViewsReader[],
  joined: Joined,
  where: readonly Condition[],
): Promise<number> {
  const orderBy = { column: 'key', descending: false };
  let count = 0;
  for (let after: DocumentQuery['after']; ; ) {
    const query = { where, orderBy, limit: keysMax, bodies: false };
    const page = await findWhole(cells, joined, {
      ...query,
      ...(after === undefined ? {} : { after }),
    });
    count += page.length;
    const last = page.at(-1);
    if (last === undefined || page.length < keysMax) return count;
    after = { value: last.key, key: last.key };
  }
}

/** Joined at once. */
const keysMax = 200;

async function* candidates(
  cells: readonly ViewsReader[],
  { projection, joining }: Joined,
  query: DocumentQuery,
): AsyncGenerator<readonly ViewDocument[]> {
  const { where, orderBy, limit } = query;
  const holdsForPart = ({ column }: Condition) =>
    joining.isOnePart || column === 'key' || column === orderBy.column;
  let parts: ViewDocument[] = [];
  const narrowed = { ...query, where: where.filter(holdsForPart), bodies: false };
  for await (const part of inOrder(cells, projection, narrowed)) {
    parts.push(part);
    if (parts.length < Math.min(limit, keysMax)) continue;
    yield parts;
    parts = [];
  }
  yield parts;
}

/** By key. */
async function joinDocuments(
  cells: readonly ViewsReader[],
  { projection, joining }: Joined,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ViewDocument>> {
  if (keys.length === 0) return new Map();
  const found = await Promise.all(
    cells.map((cell) =>
      cell.find(projection, {
        where: [{ column: 'key', is: 'in', values: keys }],
        orderBy: { column: 'key', descending: false },
        limit: keys.length,
      }),
    ),
  );
  const parts = Map.groupBy(found.flat(), ({ key }) => key);
  return new Map([...parts].map(([key, each]) => [key, wholeOf(projection, joining, each)]));
}

function wholeOf(
  projection: Projection,
  { join }: Joining<unknown>,
  documents: readonly ViewDocument[],
): ViewDocument {
  const [only] = documents;
  if (documents.length === 1 && only !== undefined) return only;
  const { state, columns } = documents
    .map(({ columns, body }): Part<unknown> => ({ state: projection.decode(body), columns }))
    .reduce((left, right) => join(left, right));
  return { key: only?.key ?? '', columns, body: projection.encode(state) };
}
