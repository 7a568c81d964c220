/**
 * Reads a session file as lines: in chunks, split at newline bytes, decoded line by line.
 *
 * Guarantees: memory is bounded, whatever the size of the file and its lines: long strings are cut
 * in lines too long to be held (long-line.ts). Every byte belongs to exactly one line. A line that
 * is too long even so, or is invalid UTF-8, is marked and affects no other line. Synchronous: read
 * in a worker thread where blocking matters. Does not parse anything beyond the bounds of strings.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { createLongLine, type LongLine } from './long-line.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Offset of its first byte in the file. */
  readonly offset: number;
  /** Including its newline. */
  readonly bytes: number;
  /**
   * Without newline or byte order mark; invalid UTF-8 is replaced by U+FFFD. Null when the line is
   * too long.
   */
  readonly text: string | null;
  /** The mark after the beginning of each cut string; null for a whole line. */
  readonly cutMark: string | null;
  readonly isUtf8: boolean;
  /** False for a last line without a newline: its writer died or is still writing. */
  readonly isFinished: boolean;
}

export interface LinesOptions {
  /** Offset of the first chunk in the file, which must be the start of a line; default 0. */
  readonly offset?: number;
  /** Number of lines before that; default 0. */
  readonly linesBefore?: number;
  readonly lineBytesMax?: number;
}

/**
 * Longer lines are cut: a line is held as bytes, as text and parsed, and no file may exceed an
 * import's memory.
 */
const lineBytesMaxDefault = 8 * 1024 * 1024;

/** Contract: a chunk may be reused once the next one is requested. */
export function* linesOf(
  chunks: Iterable<Uint8Array>,
  options: LinesOptions = {},
): Generator<TextLine> {
  const { lineBytesMax = lineBytesMaxDefault } = options;
  const held = createLineBuffer(lineBytesMax);
  let number = options.linesBefore ?? 0;
  let offset = options.offset ?? 0;
  const next = (taken: LineBody, bytes: number, isFinished: boolean): TextLine => {
    number += 1;
    const line = { number, offset, bytes, ...decoded(taken), isFinished };
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

/**
 * Reads from `offset` to the end of the file. Contract: each chunk is valid until the next; throws
 * the file system's errors.
 */
export function* readChunks(
  descriptor: number,
  offset = 0,
  chunkBytes: number = chunkBytesDefault,
): Generator<Uint8Array> {
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

/** The bytes of a line. */
interface LineBody {
  /** Valid until the next `add`; null when there are too many. */
  readonly body: Buffer | null;
  readonly cutMark: string | null;
}

/**
 * Holds the beginning of a line until its end comes, in one reused buffer, because memory of lines
 * is not freed immediately.
 */
function createLineBuffer(bytesMax: number) {
  let buffer: Buffer = nothing;
  let bytes = 0;
  let long: { readonly line: LongLine; readonly mark: string } | null = null;

  function append(part: Buffer): void {
    const total = bytes + part.length;
    if (total > bytesMax) appendLong(part);
    else {
      if (total > buffer.length) buffer = grown(buffer, bytes, Math.min(bytesMax, total * 2));
      part.copy(buffer, bytes);
    }
    bytes = total;
  }

  function appendLong(part: Buffer): void {
    if (long === null) {
      const mark = `cut ${randomUUID()} `;
      long = { line: createLongLine(mark), mark };
      long.line.add(buffer.subarray(0, bytes));
    }
    long.line.add(part);
  }

  return {
    bytes: () => bytes,
    add: append,
    /** Returns the whole line, given its last part, and empties the buffer. */
    take(last: Buffer): LineBody {
      if (bytes === 0 && last.length <= bytesMax) return { body: last, cutMark: null };
      append(last);
      const taken =
        long === null
          ? { body: buffer.subarray(0, bytes), cutMark: null }
          : { body: long.line.end(), cutMark: long.mark };
      bytes = 0;
      long = null;
      return taken;
    },
  };
}

function grown(buffer: Buffer, usedBytes: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger, 0, 0, usedBytes);
  return larger;
}

function decoded({ body, cutMark }: LineBody): Pick<TextLine, 'text' | 'cutMark' | 'isUtf8'> {
  if (body === null) return { text: null, cutMark, isUtf8: true };
  if (isAscii(body)) return { text: body.toString('latin1'), cutMark, isUtf8: true };
  const text = body.toString('utf8');
  return {
    text: text.startsWith(byteOrderMark) ? text.slice(1) : text,
    cutMark,
    isUtf8: isUtf8(body),
  };
}

/** Windows editors put it at the start of a file. */
const byteOrderMark = '\ufeff';
