/** Sums of the rollups of `timings` as rows: measures and their order. Pure. */
import type { SumRow } from '../../views/views.ts';

export type Sums = Readonly<Record<string, bigint>>;

/** It is for few rows: those of a list are grouped in turns (grouped-sums.ts). */
export function totalOf(rows: readonly SumRow[]): Sums {
  const sums: Record<string, bigint> = {};
  for (const { measures } of rows)
    for (const [name, amount] of Object.entries(measures)) sums[name] = (sums[name] ?? 0n) + amount;
  return sums;
}

/** A count for JSON. */
export function countIn(sums: Sums, name: string): number {
  return Number(sums[name] ?? 0n);
}

/** Returns null when empty, that is unknown. */
export function nameOrNull(name: string): string | null {
  return name === '' ? null : name;
}

export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
