/** Joins sums of low parts and of high parts (wide.ts) that were queried separately. Pure. */
import { compareStored } from './stored-order.ts';
import type { SumRow } from './views.ts';
import { join } from './wide.ts';

/** Sorted by the dimensions, like all sums. */
export function addHighSums(
  by: readonly string[],
  low: readonly SumRow[],
  high: readonly SumRow[],
): SumRow[] {
  if (high.length === 0) return [...low];
  const keyOf = ({ dimensions }: SumRow): string =>
    JSON.stringify(by.map((name) => dimensions[name] ?? ''));
  const joined = new Map(low.map((row) => [keyOf(row), row]));
  for (const row of high) {
    const measures = joined.get(keyOf(row))?.measures ?? {};
    const sums = Object.entries(row.measures).map(([name, amount]) => [
      name,
      join({ low: measures[name] ?? 0n, high: amount }),
    ]);
    joined.set(keyOf(row), { dimensions: row.dimensions, measures: Object.fromEntries(sums) });
  }
  return [...joined.values()].sort((left, right) => compareRows(by, left, right));
}

export function compareRows(by: readonly string[], left: SumRow, right: SumRow): number {
  for (const name of by) {
    const [one, other] = [left.dimensions[name] ?? '', right.dimensions[name] ?? ''];
    if (one !== other) return compareStored(one, other);
  }
  return 0;
}
