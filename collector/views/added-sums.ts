/** Sums that were queried in parts, as one. Pure. */
import type { SumRow } from './views.ts';
import { compareRows } from './wide-sums.ts';

/** One row per dimensions, and none that comes to zero, as in one sum. */
export function addedSums(by: readonly string[], rows: readonly SumRow[]): readonly SumRow[] {
  const sums = new Map<string, SumRow>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((name) => row.dimensions[name]));
    const known = sums.get(key);
    sums.set(key, known === undefined ? row : added(known, row));
  }
  return [...sums.values()]
    .filter(({ measures }) => by.length === 0 || Object.values(measures).some((sum) => sum !== 0n))
    .sort((left, right) => compareRows(by, left, right));
}

function added({ dimensions, measures }: SumRow, other: SumRow): SumRow {
  const sums = Object.entries(measures).map(([name, sum]) => [
    name,
    sum + (other.measures[name] ?? 0n),
  ]);
  return { dimensions, measures: Object.fromEntries(sums) };
}
