/**
 * Sequence numbers as ascending, disjoint, inclusive ranges: what was received from a producer, and
 * what is missing. Pure.
 */

export type SequenceRange = readonly [first: number, last: number];

/**
 * The ranges that cover exactly these numbers, in any order and with repetitions. Adjacent ranges
 * are joined.
 */
export function toRanges(sequences: readonly number[]): SequenceRange[] {
  return joinRanges(sequences.map((sequence) => [sequence, sequence] as const));
}

/** The same numbers as ascending, disjoint ranges. */
export function joinRanges(ranges: readonly SequenceRange[]): SequenceRange[] {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1)
      previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}
