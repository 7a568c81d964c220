/**
 * Reads lines of a file or a pipe without blocking the process. Memory is bounded by the longest
 * allowed line: the rest of a longer one is skipped. Lines are split as bytes; invalid UTF-8 is
 * replaced by U+FFFD.
 */

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  /** Without the newline; cut at `lineBytesMax`. */
  readonly text: string;
}

const newline = 0x0a;

/** Rejects with the error of the stream. */
export async function* linesIn(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<NumberedLine> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 0;
  const hold = (part: Buffer): void => {
    const kept = part.subarray(0, Math.max(0, lineBytesMax - heldBytes));
    if (kept.length === 0) return;
    held.push(kept);
    heldBytes += kept.length;
  };
  const take = (): NumberedLine => {
    const text = Buffer.concat(held).toString('utf8');
    held = [];
    heldBytes = 0;
    number += 1;
    return { number, text: withoutEnd(number === 1 ? withoutMark(text) : text) };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (heldBytes > 0) yield take();
}

/**
 * Windows editors write a byte order mark at the start and a carriage return at each line's end.
 */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function withoutEnd(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
