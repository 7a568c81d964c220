/** Rows as groups, in turns (in-turns.ts). */
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';

/**
 * Groups of rows, in the order of their first ones; within a group one row for each combination of
 * the dimensions `by`.
 */
export async function groupedSums(
  rows: readonly SumRow[],
  keyOf: (dimensions: SumRow['dimensions']) => string,
  by: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly SumRow[]>> {
  const groups = new Map<string, Map<string, MutableRow>>();
  await inTurns(rows, (row) => {
    const key = keyOf(row.dimensions);
    const group = groups.get(key) ?? new Map<string, MutableRow>();
    groups.set(key, group);
    const within = by.map((name) => row.dimensions[name] ?? '').join('\0');
    const known = group.get(within);
    if (known === undefined) group.set(within, { ...row, isOwn: false });
    else addTo(known, row);
  });
  const found = new Map<string, readonly SumRow[]>();
  for (const [key, group] of groups) found.set(key, [...group.values()]);
  return found;
}

interface MutableRow extends SumRow {
  measures: Record<string, bigint>;
  /** Whether its measures are its own, and no row's of the store. */
  isOwn: boolean;
}

function addTo(known: MutableRow, { measures }: SumRow): void {
  if (!known.isOwn) {
    known.measures = { ...known.measures };
    known.isOwn = true;
  }
  for (const name in measures)
    known.measures[name] = (known.measures[name] ?? 0n) + (measures[name] ?? 0n);
}
