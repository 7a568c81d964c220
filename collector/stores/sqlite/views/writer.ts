/**
 * Writes a commit into one generation's tables, with statements prepared once. Runs inside the
 * caller's transaction.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Projection, Rollup } from '../../../projections/projection.ts';
import type { RollupDelta, ViewDocument } from '../../../views/views.ts';
import { isLow } from '../../../views/wide.ts';
import { createDictionary, type Dictionary } from './dictionary.ts';
import { createRows } from './rows.ts';
import { documentsTable, quote, rollupTable } from './tables.ts';
import { createWideRows } from './wide.ts';

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
