/**
 * The last value reported up to a moment, or the first one when all are later. `said` is sorted by
 * `timeOf`.
 */
export function latestAt<Said>(
  said: readonly Said[],
  time: string,
  timeOf: (one: Said) => string,
): Said | null {
  let from = 0;
  let to = said.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (timeOf(said[middle] as Said) <= time) from = middle + 1;
    else to = middle;
  }
  return said[Math.max(0, from - 1)] ?? null;
}
