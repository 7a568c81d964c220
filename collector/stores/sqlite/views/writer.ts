/**
 * Writes a commit into one generation's tables, with statements prepared once. Runs inside the
 * caller's transaction.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Projection, Rollup } from '../../../projections/projection.ts';
import type { RollupDelta, ViewDocument } from '../../../views/views.ts';
import { isLow, split } from '../../../views/wide.ts';
import { createRows, type Rows } from './rows.ts';
import {
  createHighTable,
  dictionaryTable,
  documentsTable,
  highTable,
  quote,
  rollupTable,
} from './tables.ts';

export interface Writer {
  readonly projection: string;
  load(keys: readonly string[]): Map<string, string>;
  write(documents: readonly ViewDocument[], deltas: readonly RollupDelta[]): void;
}

export function createWriter(
  database: DatabaseSync,
  projection: Projection,
  generation: number,
): Writer {
  const table = documentsTable(generation);
  const columns = Object.keys(projection.columns);
  const load = database.prepare(`SELECT body FROM ${table} WHERE key = ?`);
  const put = preparePut(database, table, columns);
  const dictionary = createDictionary(database, generation);
  const rollups = new Map(
    projection.rollups.map((rollup) => [
      rollup.name,
      createRollupWriter(database, rollup, generation, dictionary),
    ]),
  );

  return {
    projection: projection.name,
    load(keys) {
      const bodies = new Map<string, string>();
      for (const key of keys) {
        const row = load.get(key) as { body: string } | undefined;
        if (row !== undefined) bodies.set(key, row.body);
      }
      return bodies;
    },
    write(documents, deltas) {
      for (const { key, columns: values, body } of documents)
        put.run(key, ...columns.map((name) => values[name] ?? null), body);
      for (const delta of deltas) {
        const add = rollups.get(delta.rollup.name);
        if (add === undefined)
          throw new Error(`Projection ${projection.name} has no rollup ${delta.rollup.name}.`);
        add(delta);
      }
    },
  };
}

function preparePut(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
): StatementSync {
  const fields = ['key', ...columns, 'body'];
  const set = fields.slice(1).map((name) => `${quote(name)} = excluded.${quote(name)}`);
  const values = fields.map(() => '?');
  return database.prepare(
    `INSERT INTO ${table} (${fields.map(quote).join(', ')}) VALUES (${values.join(', ')})
     ON CONFLICT (key) DO UPDATE SET ${set.join(', ')}`,
  );
}

function createRollupWriter(
  database: DatabaseSync,
  rollup: Rollup,
  generation: number,
  dictionary: Dictionary,
): (delta: RollupDelta) => void {
  const rows = createRows(database, rollup, rollupTable(generation, rollup.name));
  let wide: ((ids: readonly number[], measures: readonly bigint[]) => void) | null = null;

  return (delta) => {
    const ids = rollup.dimensions.map((dimension, index) =>
      dictionary.idOf(dimension, delta.dimensions[index] ?? ''),
    );
    if (delta.measures.every(isLow) && rows.add(ids, delta.measures)) return;
    wide ??= createWideRows(database, { rollup, generation, rows });
    wide(ids, delta.measures);
  };
}

// The numbers of one generation's dimension words. A new word gets its number in the caller's
// transaction.

interface Dictionary {
  idOf(dimension: string, word: string): number;
}

/** Words kept in memory. At the limit all are dropped, which costs a lookup each. */
const wordsMax = 50_000;

function createDictionary(database: DatabaseSync, generation: number): Dictionary {
  const table = dictionaryTable(generation);
  const select = database.prepare(`SELECT id FROM ${table} WHERE dimension = ? AND word = ?`);
  const insert = database.prepare(`INSERT INTO ${table} (dimension, word) VALUES (?, ?)`);
  const known = new Map<string, Map<string, number>>();
  let size = 0;

  function remember(dimension: string, word: string, id: number): number {
    if (size >= wordsMax) {
      known.clear();
      size = 0;
    }
    const ids = known.get(dimension) ?? new Map<string, number>();
    known.set(dimension, ids.set(word, id));
    size += 1;
    return id;
  }

  return {
    idOf(dimension, word) {
      const id = known.get(dimension)?.get(word);
      if (id !== undefined) return id;
      const row = select.get(dimension, word) as { id: number } | undefined;
      return remember(
        dimension,
        word,
        row?.id ?? Number(insert.run(dimension, word).lastInsertRowid),
      );
    },
  };
}

// The high parts of sums beyond 64 bits (wide.ts), in a table beside the rollup's. The first of
// them creates it, so that other rollups pay nothing for it.

interface WideRowsOptions {
  readonly rollup: Rollup;
  readonly generation: number;
  /** The low parts. */
  readonly rows: Rows;
}

/** Adds amounts of any size to a row. Runs inside the caller's transaction. */
function createWideRows(database: DatabaseSync, { rollup, generation, rows }: WideRowsOptions) {
  createHighTable(database, rollup, generation);
  const highRows = createRows(database, rollup, highTable(generation, rollup.name));

  return (ids: readonly number[], measures: readonly bigint[]): void => {
    const low = rows.read(ids);
    const parts = measures.map((amount, index) => split((low[index] ?? 0n) + amount));
    rows.put(
      ids,
      parts.map((part) => part.low),
    );
    const high = parts.map((part) => part.high);
    if (!highRows.add(ids, high)) throw new RangeError(`${rollup.name}: a sum leaves 124 bits.`);
  };
}
