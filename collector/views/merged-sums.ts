/** Puts together sums of the same query over two parts of a rollup. Pure. */
import type { SumRow } from './views.ts';
import { compareRows } from './wide-sums.ts';

/** Both are sorted by the dimensions `by`, and so is what they come to. */
export function mergedSums(
  by: readonly string[],
  ones: readonly SumRow[],
  others: readonly SumRow[],
): SumRow[] {
  const merged: SumRow[] = [];
  let [next, nextOther] = [0, 0];
  for (;;) {
    const [one, other] = [ones[next], others[nextOther]];
    if (one === undefined) return appended(merged, others, nextOther);
    if (other === undefined) return appended(merged, ones, next);
    const order = compareRows(by, one, other);
    if (order <= 0) next += 1;
    if (order >= 0) nextOther += 1;
    merged.push(order < 0 ? one : order > 0 ? other : addedRow(one, other));
  }
}

function appended(merged: SumRow[], rows: readonly SumRow[], from: number): SumRow[] {
  for (let at = from; at < rows.length; at += 1) merged.push(rows[at] as SumRow);
  return merged;
}

function addedRow({ dimensions, measures }: SumRow, other: SumRow): SumRow {
  const sums: Record<string, bigint> = {};
  for (const name in measures) sums[name] = (measures[name] ?? 0n) + (other.measures[name] ?? 0n);
  return { dimensions, measures: sums };
}
