/**
 * Finds documents of one generation. Column names come from the projection's definition, values are
 * bound.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Projection, Scalar } from '../../../projections/projection.ts';
import type { Condition, DocumentQuery, ViewDocument } from '../../../views/views.ts';
import { compare, expectKnown, type Sql, whereText } from './conditions.ts';
import { documentsTable, quote } from './tables.ts';

/** Sorts NULLs of the sort column first, or last when descending. */
export function findDocuments(
  database: DatabaseSync,
  projection: Projection,
  generation: number,
  query: DocumentQuery,
): ViewDocument[] {
  const found: ViewDocument[] = [];
  for (const page of planPages(query)) {
    if (found.length < query.limit)
      found.push(
        ...findPage(database, projection, generation, query, page, query.limit - found.length),
      );
  }
  return found;
}

export function countDocuments(
  database: DatabaseSync,
  projection: Projection,
  generation: number,
  where: readonly Condition[],
): number {
  const known = ['key', ...Object.keys(projection.columns)];
  const conditions = where.map((condition) =>
    compare(expectKnown(condition.column, known), condition),
  );
  const { count } = database
    .prepare(`SELECT count(*) AS count FROM ${documentsTable(generation)} ${whereText(conditions)}`)
    .get(...conditions.flatMap(({ values }) => values)) as { count: number };
  return count;
}

function findPage(
  database: DatabaseSync,
  projection: Projection,
  generation: number,
  { where, orderBy, bodies = true }: DocumentQuery,
  page: Sql | null,
  limit: number,
): ViewDocument[] {
  const names = Object.keys(projection.columns);
  const known = ['key', ...names];
  const order = quote(expectKnown(orderBy.column, known));
  const direction = orderBy.descending ? 'DESC' : 'ASC';
  const conditions = where.map((condition) =>
    compare(expectKnown(condition.column, known), condition),
  );
  if (page !== null) conditions.push(page);
  const columns = [...known.map(quote), bodies ? 'body' : "''"].join(', ');
  const statement = database.prepare(
    `SELECT ${columns} FROM ${documentsTable(generation)} ${whereText(conditions)}
     ORDER BY ${order} ${direction}, key ${direction} LIMIT ?`,
  );
  statement.setReturnArrays(true);
  const rows = statement.all(
    ...conditions.flatMap(({ values }) => values),
    limit,
  ) as unknown as Scalar[][];
  return rows.map(([key, ...rest]) => ({
    key: String(key),
    columns: Object.fromEntries(names.map((name, index) => [name, rest[index] ?? null])),
    body: String(rest.at(-1)),
  }));
}

/**
 * The rows after the last row of the previous page, as ranges that an index can walk one after the
 * other. NULL sorts before everything.
 */
function planPages({ orderBy, after }: DocumentQuery): (Sql | null)[] {
  if (after === undefined) return [null];
  const column = quote(orderBy.column);
  const beyond = orderBy.descending ? '<' : '>';
  const tied: Sql = { text: `${column} IS NULL AND key ${beyond} ?`, values: [after.key] };
  const isNull: Sql = { text: `${column} IS NULL`, values: [] };
  const isNotNull: Sql = { text: `${column} IS NOT NULL`, values: [] };
  if (after.value === null) return orderBy.descending ? [tied] : [tied, isNotNull];
  const rest: Sql = { text: `(${column}, key) ${beyond} (?, ?)`, values: [after.value, after.key] };
  return orderBy.descending ? [rest, isNull] : [rest];
}
