/**
 * Long sums in slices: the rows of a rollup one part after the other, in one snapshot of a
 * connection of their own, and others get the thread in between.
 *
 * Guarantees: the answer is that of one sum. Sums wait for each other: a connection has one
 * snapshot at a time.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Projection, Rollup } from '../../../projections/projection.ts';
import { coarsestFor } from '../../../views/coarsest.ts';
import { mergedSums } from '../../../views/merged-sums.ts';
import type { SumQuery, SumRow } from '../../../views/views.ts';
import { addHighSums } from '../../../views/wide-sums.ts';
import { type Sql, whereText, wordConditions } from './conditions.ts';
import { createGenerations } from './generations.ts';
import { isSome, type Summed, sumHigh, sumLow } from './sums.ts';
import { dictionaryTable, hasRowid, quote, rollupTable } from './tables.ts';

/** A slice takes some 10 microseconds for each row, and each of its groups is merged. */
const sliceRows = 1_000;
const slicesMax = 32;
/** Where fewer are asked for, one sum is faster. */
const rowsAtOnce = 2_000;
/** Where fewer rows are asked for, an index finds them. */
const selectiveShare = 8;

export interface SlicedSums {
  /** `none`: the answer where there is no live generation. */
  sum(
    projection: Projection,
    rollup: Rollup,
    query: SumQuery,
    none: readonly SumRow[],
  ): Promise<readonly SumRow[]>;
  close(): void;
}

export function createSlicedSums(open: () => DatabaseSync): SlicedSums {
  let opened: DatabaseSync | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function inSnapshot(
    ...[projection, rollup, query, none]: Parameters<SlicedSums['sum']>
  ): Promise<readonly SumRow[]> {
    if (isClosed) throw new Error('The views are closed.');
    opened ??= open();
    const database = opened;
    database.exec('BEGIN');
    try {
      const live = createGenerations(database).live(projection);
      if (live === null) return none;
      const answering = coarsestFor(rollup, query);
      return await sumSliced(database, { rollup: answering, generation: live.id }, query);
    } finally {
      if (isClosed) database.close();
      else database.exec('COMMIT');
    }
  }

  return {
    sum(...asked) {
      const answer = last.then(() => inSnapshot(...asked));
      last = answer.catch(() => undefined);
      return answer;
    },
    close() {
      isClosed = true;
      if (opened?.isTransaction === false) opened.close();
    },
  };
}

type Unsliced = Omit<Summed, 'slice'>;

async function sumSliced(
  database: DatabaseSync,
  summed: Unsliced,
  query: SumQuery,
): Promise<readonly SumRow[]> {
  const { by } = query;
  /** Each of these sums up more of the table than the next. */
  const parts: Part[] = [];
  for (const slice of planSlices(database, summed)) {
    parts.push({ slices: 1, sums: sumLow(database, { ...summed, slice }, query) });
    await nextTurn();
    while (parts.at(-2)?.slices === parts.at(-1)?.slices && parts.length > 1)
      await mergeLast(by, parts);
  }
  while (parts.length > 1) await mergeLast(by, parts);
  const sums = parts[0]?.sums ?? [];
  const rows = addHighSums(by, sums, sumHigh(database, { ...summed, slice: null }, query));
  return by.length === 0 ? rows : rows.filter(isSome);
}

interface Part {
  readonly slices: number;
  readonly sums: readonly SumRow[];
}

async function mergeLast(by: readonly string[], parts: Part[]): Promise<void> {
  const [last, one] = [parts.pop(), parts.pop()];
  if (last === undefined || one === undefined) return;
  const sums = mergedSums(by, one.sums, last.sums);
  parts.push({ slices: one.slices + last.slices, sums });
  await nextTurn();
}

/** Whether so many rows are asked for that they are summed in slices. */
export function isLong(database: DatabaseSync, summed: Unsliced, { where }: SumQuery): boolean {
  const table = rollupTable(summed.generation, summed.rollup.name);
  const conditions = wordConditions(dictionaryTable(summed.generation), where);
  const isMoreThan = (rows: number): boolean => {
    const found = database
      .prepare(`SELECT 1 FROM ${table} ${whereText(conditions)} LIMIT 1 OFFSET ?`)
      .get(...conditions.flatMap(({ values }) => values), rows);
    return found !== undefined;
  };
  // Few questions ask for more, and only these count the table.
  return (
    isMoreThan(rowsAtOnce) && isMoreThan(Math.floor(rowsIn(database, summed) / selectiveShare))
  );
}

/** A table with row ids has at most this many. */
function rowsIn(database: DatabaseSync, { rollup, generation }: Unsliced): number {
  const table = rollupTable(generation, rollup.name);
  const count = hasRowid(database, generation, rollup.name)
    ? 'coalesce(max(rowid), 0)'
    : 'count(*)';
  const found = database.prepare(`SELECT ${count} AS count FROM ${table}`).get();
  return (found as { count: number }).count;
}

/** All rows, in the order in which the table is stored. */
function* planSlices(database: DatabaseSync, summed: Unsliced): Generator<Sql> {
  const rows = rowsIn(database, summed);
  const perSlice = Math.max(sliceRows, Math.ceil(rows / slicesMax));
  if (hasRowid(database, summed.generation, summed.rollup.name)) {
    for (let from = 0; from < rows; from += perSlice)
      yield { text: 'rowid > ? AND rowid <= ?', values: [from, from + perSlice] };
    return;
  }
  const { generation, rollup } = summed;
  const names = rollup.dimensions.map(quote).join(', ');
  const places = rollup.dimensions.map(() => '?').join(', ');
  const beyond = { text: `(${names}) > (${places})`, upTo: `(${names}) <= (${places})` };
  let from: number[] = [];
  for (;;) {
    const start = from.length === 0 ? [] : [beyond.text];
    const statement = database.prepare(
      `SELECT ${names} FROM ${rollupTable(generation, rollup.name)}
       ${start.length === 0 ? '' : `WHERE ${beyond.text}`}
       ORDER BY ${names} LIMIT 1 OFFSET ${perSlice - 1}`,
    );
    statement.setReturnArrays(true);
    const to = statement.get(...from) as unknown as number[] | undefined;
    const parts = [...start, ...(to === undefined ? [] : [beyond.upTo])];
    yield {
      text: parts.length === 0 ? 'TRUE' : parts.join(' AND '),
      values: [...from, ...(to ?? [])],
    };
    if (to === undefined) return;
    from = to;
  }
}
