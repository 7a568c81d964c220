/** Sums of the rollups of `timings` as rows: groups, measures and their order. Pure. */
import type { SumRow } from '../../views/views.ts';

export type Sums = Readonly<Record<string, bigint>>;

/** Adds up the rows with the same key, in the order of their first ones. */
export function groupSums(
  rows: readonly SumRow[],
  keyOf: (dimensions: SumRow['dimensions']) => string,
): ReadonlyMap<string, Sums> {
  const groups = new Map<string, Record<string, bigint>>();
  for (const { dimensions, measures } of rows) {
    const key = keyOf(dimensions);
    const sums = groups.get(key) ?? {};
    groups.set(key, sums);
    for (const [name, amount] of Object.entries(measures)) sums[name] = (sums[name] ?? 0n) + amount;
  }
  return groups;
}

export function totalOf(rows: readonly SumRow[]): Sums {
  return groupSums(rows, () => '').get('') ?? {};
}

/** A count for JSON. */
export function countIn(sums: Sums, name: string): number {
  return Number(sums[name] ?? 0n);
}

/** Null when empty, that is unknown. */
export function nameOrNull(name: string): string | null {
  return name === '' ? null : name;
}

export function compareAmounts(left: bigint | number, right: bigint | number): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
