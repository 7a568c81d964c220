/**
 * The high parts of sums beyond 64 bits (wide.ts), in a table beside the rollup's. The first of
 * them creates it, so that other rollups pay nothing for it.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Rollup } from '../../../projections/projection.ts';
import { split } from '../../../views/wide.ts';
import { createRows, type Rows } from './rows.ts';
import { createHighTable, highTable } from './tables.ts';

export interface WideRowsOptions {
  readonly rollup: Rollup;
  readonly generation: number;
  /** The low parts. */
  readonly rows: Rows;
}

/** Adds amounts of any size to a row. Runs inside the caller's transaction. */
export function createWideRows(
  database: DatabaseSync,
  { rollup, generation, rows }: WideRowsOptions,
) {
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
