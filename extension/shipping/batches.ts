/**
 * Limits of one request, well below the contract's (a test compares them), so that building a body
 * blocks the host's thread for only about a millisecond.
 */
export const batchEventsMax = 1_000;
export const batchBytesMax = 256 * 1024;

/** Indexes into the lines of a segment: `from` inclusive, `to` exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Splits the lines from `from` on into ranges within the limits. A line larger than a batch gets
 * its own.
 */
export function cutBatches(lines: readonly string[], from: number): readonly Range[] {
  const ranges: Range[] = [];
  let start = from;
  let bytes = 0;
  for (let index = from; index < lines.length; index += 1) {
    const lineBytes = Buffer.byteLength(lines[index] ?? '') + 1;
    if (index > start && (bytes + lineBytes > batchBytesMax || index - start === batchEventsMax)) {
      ranges.push({ from: start, to: index });
      start = index;
      bytes = 0;
    }
    bytes += lineBytes;
  }
  if (start < lines.length) ranges.push({ from: start, to: lines.length });
  return ranges;
}

/** Returns null for a single event. */
export function halve({ from, to }: Range): readonly [Range, Range] | null {
  if (to - from < 2) return null;
  const middle = from + Math.ceil((to - from) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
