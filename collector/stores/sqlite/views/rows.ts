/**
 * Rows of one table of sums. A row whose measures are all zero is removed. Runs inside the caller's
 * transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Rollup } from '../../../projections/projection.ts';
import { quote } from './tables.ts';

export interface Rows {
  /** False, with nothing added, when a sum would leave 64 bits. Each measure must fit. */
  add(ids: readonly number[], measures: readonly bigint[]): boolean;
  read(ids: readonly number[]): readonly bigint[];
  put(ids: readonly number[], measures: readonly bigint[]): void;
}

export function createRows(database: DatabaseSync, rollup: Rollup, table: string): Rows {
  const dimensions = rollup.dimensions.map(quote);
  const measures = rollup.measures.map(quote);
  const fields = [...dimensions, ...measures];
  const isRow = dimensions.map((name) => `${name} = ?`).join(' AND ');
  const isZero = measures.map((name) => `${name} = 0`).join(' AND ');
  const values = fields.map(() => '?').join(', ');
  const upsert = (change: (name: string) => string) => {
    const changes = measures.map((name) => `${name} = ${change(name)}`).join(', ');
    return database.prepare(
      `INSERT INTO ${table} (${fields.join(', ')}) VALUES (${values})
       ON CONFLICT DO UPDATE SET ${changes} RETURNING ${isZero} AS isZero`,
    );
  };
  const sum = upsert((name) => `${name} + excluded.${name}`);
  const replace = upsert((name) => `excluded.${name}`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE ${isRow}`);
  const select = database.prepare(`SELECT ${measures.join(', ')} FROM ${table} WHERE ${isRow}`);
  select.setReadBigInts(true);
  select.setReturnArrays(true);

  function write(statement: typeof sum, ids: readonly number[], amounts: readonly bigint[]): void {
    const written = statement.get(...ids, ...amounts) as { isZero: number };
    if (written.isZero === 1) remove.run(...ids);
  }

  return {
    add(ids, amounts) {
      try {
        write(sum, ids, amounts);
        return true;
      } catch (error) {
        if (isNoInteger(error)) return false;
        throw error;
      }
    },
    read: (ids) => (select.get(...ids) as bigint[] | undefined) ?? rollup.measures.map(() => 0n),
    put: (ids, amounts) => write(replace, ids, amounts),
  };
}

/**
 * SQLITE_CONSTRAINT_DATATYPE: a sum beyond 64 bits becomes a float, which a strict table refuses;
 * the statement has changed nothing.
 */
function isNoInteger(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 3091;
}
