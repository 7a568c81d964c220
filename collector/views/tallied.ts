/** A tally (views.ts) made of sums: exact for all amounts, and as dear as they are. */
import type { SumQuery, SumRow, TallyQuery, TallyRow } from './views.ts';

/** The sums that a tally can be made of. */
export function sumsToTally({ by, where, of }: TallyQuery): SumQuery {
  return { by: [...new Set([...by, of])], where };
}

/** `sums`: the answer to that. */
export function tallied({ by }: TallyQuery, sums: readonly SumRow[]): readonly TallyRow[] {
  if (by.length === 0) return [{ dimensions: {}, count: sums.length }];
  const rows = new Map<string, { readonly dimensions: TallyRow['dimensions']; count: number }>();
  for (const { dimensions } of sums) {
    const words = by.map((name) => dimensions[name] ?? '');
    const key = JSON.stringify(words);
    const own = Object.fromEntries(by.map((name, index) => [name, words[index] ?? '']));
    const row = rows.get(key) ?? { dimensions: own, count: 0 };
    row.count += 1;
    rows.set(key, row);
  }
  return [...rows.values()];
}
