/**
 * Counts the words of a dimension in groups of a rollup, without adding anything up: a count of
 * sessions reads a tenth of what their sums are.
 *
 * Guarantees: as many as there are sums that do not come to zero. Rows can only cancel each other
 * where some measure is negative, or wide (wide.ts); then the sums are asked for.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Rollup } from '../../../projections/projection.ts';
import { coarsestFor } from '../../../views/coarsest.ts';
import { sumsToTally, tallied } from '../../../views/tallied.ts';
import type { TallyQuery, TallyRow } from '../../../views/views.ts';
import { expectKnown, type Sql, whereText, wordConditions } from './conditions.ts';
import { sumRollup } from './sums.ts';
import { dictionaryTable, hasHighTable, quote, rollupTable } from './tables.ts';

export function tallyRollup(
  database: DatabaseSync,
  asked: Rollup,
  generation: number,
  query: TallyQuery,
): readonly TallyRow[] {
  const sums = sumsToTally(query);
  const rollup = coarsestFor(asked, sums);
  for (const name of [...sums.by, ...query.where.map(({ column }) => column)])
    expectKnown(name, rollup.dimensions);
  const tally: Tally = {
    database,
    table: rollupTable(generation, rollup.name),
    words: dictionaryTable(generation),
    conditions: wordConditions(dictionaryTable(generation), query.where),
  };
  return hasHighTable(database, generation, rollup.name) || mayCancel(tally, rollup)
    ? tallied(query, sumRollup(database, { rollup, generation, slice: null }, sums))
    : countWords(tally, query);
}

interface Tally {
  readonly database: DatabaseSync;
  readonly table: string;
  readonly words: string;
  readonly conditions: readonly Sql[];
}

/**
 * Stored rows are not all zero. Where no first measure is negative, and no other one beside a
 * first that is zero, no group comes to zero: either its first measures add up to more, or it has
 * nothing negative.
 */
function mayCancel({ database, table, conditions }: Tally, { measures }: Rollup): boolean {
  const [first = '', ...others] = measures.map(quote);
  const isNegative = [first, ...others].map((name) => `${name} < 0`).join(' OR ');
  const all = [...conditions, { text: `${first} <= 0 AND (${isNegative})`, values: [] }];
  const statement = database.prepare(`SELECT 1 FROM ${table} ${whereText(all)} LIMIT 1`);
  return statement.get(...conditions.flatMap(({ values }) => values)) !== undefined;
}

/** The + keeps SQLite from walking an index in group order, as in sums.ts. */
function countWords(
  { database, table, words, conditions }: Tally,
  { by, of }: TallyQuery,
): readonly TallyRow[] {
  const groups = by.map(quote);
  const groupBy = by.length > 0 ? `GROUP BY ${groups.map((name) => `+${name}`).join(', ')}` : '';
  // A row is one word where words are what rows are grouped by.
  const count = by.includes(of) ? '1' : `count(DISTINCT ${quote(of)})`;
  const columns = [...groups.map((name, index) => `${name} AS g${index}`), `${count} AS n`];
  const grouped = `SELECT ${columns.join(', ')} FROM ${table} ${whereText(conditions)} ${groupBy}`;
  const joins = by.map((_, index) => `JOIN ${words} AS w${index} ON w${index}.id = g${index}`);
  const picked = [...by.map((_, index) => `w${index}.word`), 'n'];
  const statement = database.prepare(
    `SELECT ${picked.join(', ')} FROM (${grouped}) ${joins.join(' ')}`,
  );
  statement.setReturnArrays(true);
  const rows = statement.all(...conditions.flatMap(({ values }) => values));
  return (rows as unknown as (string | number)[][]).map((row) => ({
    dimensions: Object.fromEntries(by.map((name, index) => [name, String(row[index])])),
    count: Number(row.at(-1)),
  }));
}
