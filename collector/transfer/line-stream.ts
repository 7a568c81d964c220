/**
 * Lines of a file or a pipe, as they come, without holding up the process. Memory is bounded by the
 * longest line allowed: the rest of a longer one is passed over. Newlines are split as bytes; what
 * is no UTF-8 is replaced by U+FFFD.
 */

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  /** Without its newline; cut at `lineBytesMax`. */
  readonly text: string;
}

const newline = 0x0a;

/** Rejects with what the stream says. */
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

/** Windows' editors put a mark at the beginning and a carriage return at the end of each line. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function withoutEnd(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
