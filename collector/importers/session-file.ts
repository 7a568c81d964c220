/**
 * A session file as lines: read in chunks, split at newlines as bytes, decoded line by line.
 *
 * Guarantees: memory is bounded by the longest line allowed, whatever the file's size; every byte belongs to exactly one line; a line that
 * is too long, or is no UTF-8, is said to be so and costs no other line. Synchronous: whoever must not be held up reads in a worker thread.
 * Does not: parse anything.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Of its first byte in the file. */
  readonly offset: number;
  /** Its newline included. */
  readonly bytes: number;
  /** Without newline; what is no UTF-8 is replaced by U+FFFD. Null when the line is too long to be taken in. */
  readonly text: string | null;
  readonly isUtf8: boolean;
  /** False for a last line without a newline: its writer died, or is still at it. */
  readonly isFinished: boolean;
}

export interface LinesOptions {
  /** Where the chunks begin in their file, which must be the start of a line; default 0. */
  readonly offset?: number;
  /** Of lines before that; default 0. */
  readonly linesBefore?: number;
  readonly lineBytesMax?: number;
}

/** Longer lines are passed over: a line is held as bytes, as text and parsed, and no file may take more memory than an import has. */
const lineBytesMaxDefault = 8 * 1024 * 1024;

/** Contract: a chunk may be reused by its maker once the next one is asked for. */
export function* linesOf(chunks: Iterable<Uint8Array>, options: LinesOptions = {}): Generator<Line> {
  const { lineBytesMax = lineBytesMaxDefault } = options;
  const held = createHeld(lineBytesMax);
  let number = options.linesBefore ?? 0;
  let offset = options.offset ?? 0;
  const next = (body: Buffer | null, bytes: number, isFinished: boolean): Line => {
    number += 1;
    const line = { number, offset, bytes, ...decoded(body), isFinished };
    offset += bytes;
    return line;
  };
  for (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const total = held.bytes() + end - start + 1;
      yield next(held.take(chunk.subarray(start, end)), total, true);
      start = end + 1;
    }
    held.add(chunk.subarray(start));
  }
  const rest = held.bytes();
  if (rest > 0) yield next(held.take(nothing), rest, false);
}

/** From `offset` to the end of the file. Contract: each chunk is valid until the next; throws what the file system says. */
export function* chunksOf(descriptor: number, offset = 0, chunkBytes: number = chunkBytesDefault): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let position = offset; ; ) {
    const bytes = readSync(descriptor, buffer, 0, chunkBytes, position);
    if (bytes === 0) return;
    position += bytes;
    yield buffer.subarray(0, bytes);
  }
}

const newline = 0x0a;
const nothing = Buffer.alloc(0);
const chunkBytesDefault = 256 * 1024;

/**
 * The beginning of a line whose end has not come yet. In one buffer, which is used again: what a line leaves behind is not freed at once.
 */
function createHeld(bytesMax: number) {
  let buffer: Buffer = nothing;
  let bytes = 0;
  const append = (part: Buffer) => {
    const total = bytes + part.length;
    if (total > buffer.length && total <= bytesMax) buffer = grown(buffer, bytes, Math.min(bytesMax, total * 2));
    if (total <= bytesMax) part.copy(buffer, bytes);
    bytes = total;
  };
  return {
    bytes: () => bytes,
    add: append,
    /** All of the line, given its last part; null when it is too long. Empties. What it gives is valid until the next `add`. */
    take(last: Buffer): Buffer | null {
      if (bytes === 0 && last.length <= bytesMax) return last;
      append(last);
      const whole = bytes > bytesMax ? null : buffer.subarray(0, bytes);
      bytes = 0;
      return whole;
    },
  };
}

function grown(buffer: Buffer, usedBytes: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger, 0, 0, usedBytes);
  return larger;
}

function decoded(body: Buffer | null): Pick<Line, 'text' | 'isUtf8'> {
  if (body === null) return { text: null, isUtf8: true };
  if (isAscii(body)) return { text: body.toString('latin1'), isUtf8: true };
  return { text: body.toString('utf8'), isUtf8: isUtf8(body) };
}
