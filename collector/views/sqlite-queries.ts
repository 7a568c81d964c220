/** Queries over one generation, as SQL. Column names come from the projection's definition, values are bound. */
import type { DatabaseSync } from 'node:sqlite';
import type { Projection, Rollup, Scalar } from '../projections/projection.ts';
import { coarsestFor } from './coarsest.ts';
import { documentsTable, quote, rollupTable, wordsTable } from './sqlite-tables.ts';
import type { Condition, DocumentQuery, SumQuery, SumRow, ViewDocument } from './views.ts';

interface Sql {
  readonly text: string;
  readonly values: readonly Scalar[];
}

/** The sort column's NULLs come first, or last when descending. */
export function findDocuments(database: DatabaseSync, projection: Projection, generation: number, query: DocumentQuery): ViewDocument[] {
  const found: ViewDocument[] = [];
  for (const page of pagesOf(query)) {
    if (found.length < query.limit) found.push(...findPage(database, projection, generation, query, page, query.limit - found.length));
  }
  return found;
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
  const conditions = where.map((condition) => compare(expectKnown(condition.column, known), condition));
  if (page !== null) conditions.push(page);
  const statement = database.prepare(
    `SELECT ${[...known.map(quote), bodies ? 'body' : "''"].join(', ')} FROM ${documentsTable(generation)} ${whereText(conditions)}
     ORDER BY ${order} ${direction}, key ${direction} LIMIT ?`,
  );
  statement.setReturnArrays(true);
  const rows = statement.all(...conditions.flatMap(({ values }) => values), limit) as unknown as Scalar[][];
  return rows.map(([key, ...rest]) => ({
    key: String(key),
    columns: Object.fromEntries(names.map((name, index) => [name, rest[index] ?? null])),
    body: String(rest.at(-1)),
  }));
}

/** Grouped by the words' numbers first, so that only the groups' words are looked up. */
export function sumRollup(database: DatabaseSync, asked: Rollup, generation: number, query: SumQuery): SumRow[] {
  const { by, where } = query;
  const rollup = coarsestFor(asked, query);
  const words = wordsTable(generation);
  const groups = by.map((name) => quote(expectKnown(name, rollup.dimensions)));
  const conditions = byColumn(where).map(([column, all]) => isWord(words, expectKnown(column, rollup.dimensions), all));
  const sums = rollup.measures.map((name, index) => `coalesce(sum(${quote(name)}), 0) AS s${index}`);
  // The + keeps SQLite from walking an index in group order: reading the table once and sorting is twice as fast.
  const grouped = `SELECT ${[...groups.map((name, index) => `${name} AS g${index}`), ...sums].join(', ')}
    FROM ${rollupTable(generation, rollup.name)} ${whereText(conditions)} ${groups.length > 0 ? `GROUP BY ${groups.map((name) => `+${name}`).join(', ')}` : ''}`;
  const picked = [...by.map((_, index) => `w${index}.word`), ...rollup.measures.map((_, index) => `s${index}`)];
  const joins = by.map((_, index) => `JOIN ${words} AS w${index} ON w${index}.id = g${index}`);
  const order = by.length > 0 ? `ORDER BY ${by.map((_, index) => index + 1).join(', ')}` : '';
  const statement = database.prepare(`SELECT ${picked.join(', ')} FROM (${grouped}) ${joins.join(' ')} ${order}`);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const rows = statement.all(...conditions.flatMap(({ values }) => values)) as unknown as (string | bigint)[][];
  return rows
    .map((row) => toSumRow(by, rollup.measures, row))
    .filter(({ measures }) => by.length === 0 || Object.values(measures).some((sum) => sum !== 0n));
}

/** In plain loops: of an answer of a thousand rows, making them by `Object.fromEntries` was a third of the time. */
function toSumRow(by: readonly string[], names: readonly string[], row: readonly (string | bigint)[]): SumRow {
  const dimensions: Record<string, string> = {};
  by.forEach((name, index) => {
    dimensions[name] = String(row[index]);
  });
  const measures: Record<string, bigint> = {};
  names.forEach((name, index) => {
    measures[name] = row[by.length + index] as bigint;
  });
  return { dimensions, measures };
}

function whereText(conditions: readonly Sql[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ text }) => `(${text})`).join(' AND ')}`;
}

function compare(column: string, { is, values }: Condition): Sql {
  const name = quote(column);
  if (is !== 'in') return { text: `${name} ${is === 'from' ? '>=' : '<'} ?`, values: values.slice(0, 1) };
  const present = values.filter((value) => value !== null);
  const isPresent = `${name} IN (${present.map(() => '?').join(', ')})`;
  return { text: values.length === present.length ? isPresent : `${isPresent} OR ${name} IS NULL`, values: present };
}

/** All conditions on a dimension in one lookup of its words: a range has two ends. */
function isWord(words: string, dimension: string, conditions: readonly Condition[]): Sql {
  const parts = conditions.map((condition) => compare('word', condition));
  return {
    text: `${quote(dimension)} IN (SELECT id FROM ${words} WHERE dimension = ? AND ${parts.map(({ text }) => `(${text})`).join(' AND ')})`,
    values: [dimension, ...parts.flatMap(({ values }) => values)],
  };
}

function byColumn(conditions: readonly Condition[]): [string, Condition[]][] {
  return [...Map.groupBy(conditions, ({ column }) => column)];
}

/**
 * What lies after the last row of the page before, in ranges that an index can walk, one after the other. NULL sorts before everything.
 */
function pagesOf({ orderBy, after }: DocumentQuery): (Sql | null)[] {
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

/** A name that is not there is the caller's mistake, and must not reach SQL, which takes an unknown quoted name for a text. */
function expectKnown(name: string, known: readonly string[]): string {
  if (!known.includes(name)) throw new Error(`There is no column ${name}: expected one of ${known.join(', ')}.`);
  return name;
}
