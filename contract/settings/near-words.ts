/** How near a mistyped word is to one that there is. Pure. */

/** The nearest of them; null if nothing is similar. */
export function nearestWord(text: string, words: readonly string[]): string | null {
  const written = plain(text);
  const near = words
    .map((word) => ({ word, distance: edits(written, plain(word)), name: plain(word) }))
    .filter(({ distance, name }) => distance <= farthest(written, name))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.word ?? null;
}

/** `retention_days` and `RetentionDays` are the same mistake. */
export function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function farthest(written: string, name: string): number {
  return Math.max(written.length, name.length) / 3;
}

/**
 * Edit distance: letters inserted, deleted, changed, or swapped with a neighbour (optimal string
 * alignment). Infinite above the limit of interest.
 */
export function edits(written: string, name: string): number {
  if (Math.abs(written.length - name.length) > farthest(written, name))
    return Number.POSITIVE_INFINITY;
  let [before, row]: [number[], number[]] = [
    [],
    Array.from({ length: name.length + 1 }, (_, column) => column),
  ];
  for (let line = 1; line <= written.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= name.length; column += 1) {
      const isSame = written[line - 1] === name[column - 1];
      const isSwap =
        written[line - 1] === name[column - 2] && written[line - 2] === name[column - 1];
      const ways = [
        at(next, column - 1) + 1,
        at(row, column) + 1,
        at(row, column - 1) + (isSame ? 0 : 1),
      ];
      next.push(Math.min(...ways, isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [before, row] = [row, next];
  }
  return at(row, name.length);
}

/** Outside the table, the distance is infinite. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
