/**
 * Splits a file into lines, with code of its own.
 *
 * Memory is bounded: a long line is squeezed while it is read, keeping only the first bytes of each
 * text in it. If too much is left even then, the line is null. No figure stands behind the first
 * bytes of a text.
 */
import { readSync } from 'node:fs';

export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** It is null when the line is too long. */
  readonly text: string | null;
  /** False for a last line without a newline: its writer is still at it or has died. */
  readonly hasEnd: boolean;
}

export interface LineBounds {
  /** Read at once. */
  readonly blockBytes: number;
  /** A longer line is squeezed. */
  readonly wholeBytesMax: number;
  /** Each text in such a line keeps this many, more than any name, id or time has. */
  readonly textBytesKept: number;
  /** A squeezed line that is longer becomes null. */
  readonly squeezedBytesMax: number;
  /** With the commas. JSON of nothing but brackets takes many times its length when parsed. */
  readonly bracketsMax: number;
}

export const lineBounds: LineBounds = {
  blockBytes: 1024 * 1024,
  wholeBytesMax: 4 * 1024 * 1024,
  textBytesKept: 1_500,
  squeezedBytesMax: 32 * 1024 * 1024,
  bracketsMax: 2_000_000,
};

export function* linesIn(descriptor: number, bounds = lineBounds): Generator<FileLine> {
  const { blockBytes, wholeBytesMax } = bounds;
  const block = Buffer.alloc(blockBytes);
  let parts: Buffer[] = [];
  let bytes = 0;
  let squeezer: Squeezer | null = null;
  let number = 0;

  const keep = (part: Buffer) => {
    bytes += part.length;
    if (squeezer === null && bytes > wholeBytesMax) {
      squeezer = createSqueezer(bounds);
      for (const each of parts) squeezer.take(each);
      parts = [];
    }
    if (squeezer === null) parts.push(Buffer.from(part));
    else squeezer.take(part);
  };
  const line = (hasEnd: boolean): FileLine => {
    const body = squeezer === null ? Buffer.concat(parts) : squeezer.rest();
    [parts, bytes, squeezer] = [[], 0, null];
    number += 1;
    return { number, text: body === null ? null : withoutMark(body.toString('utf8')), hasEnd };
  };

  for (
    let read = readSync(descriptor, block, 0, blockBytes, null);
    read > 0;
    read = readSync(descriptor, block, 0, blockBytes, null)
  ) {
    let from = 0;
    for (let end = block.indexOf('\n'); end >= 0 && end < read; end = block.indexOf('\n', from)) {
      keep(block.subarray(from, end));
      yield line(true);
      from = end + 1;
    }
    if (from < read) keep(block.subarray(from, read));
  }
  if (bytes > 0) yield line(false);
}

interface Squeezer {
  take(part: Buffer): void;
  /** Returns null when too much is left. */
  rest(): Buffer | null;
}

/** The result is JSON if the line was: an escape sequence is kept or dropped as a whole. */
function createSqueezer({
  blockBytes,
  textBytesKept,
  squeezedBytesMax,
  bracketsMax,
}: LineBounds): Squeezer {
  const kept: Buffer[] = [];
  let out = Buffer.alloc(blockBytes);
  let used = 0;
  let total = 0;
  let brackets = 0;
  let isInText = false;
  let textBytes = 0;
  let isKept = true;
  /** Remaining bytes of an escape sequence; -1 right after its backslash. */
  let toCome = 0;

  const isTooMuch = () => total > squeezedBytesMax || brackets > bracketsMax;

  function put(byte: number): void {
    if (used === out.length) {
      kept.push(out);
      out = Buffer.alloc(blockBytes);
      used = 0;
    }
    out[used++] = byte;
    total += 1;
  }

  function takeOfText(byte: number): void {
    if (toCome === 0 && byte === 0x22) {
      isInText = false;
      put(byte);
      return;
    }
    if (toCome === 0) {
      isKept = textBytes < textBytesKept;
      toCome = byte === 0x5c ? -1 : 0;
    } else if (toCome < 0) toCome = byte === 0x75 ? 4 : 0;
    else toCome -= 1;
    if (isKept) put(byte);
    textBytes += 1;
  }

  function takeOther(byte: number): void {
    put(byte);
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) brackets += 1;
    if (byte !== 0x22) return;
    isInText = true;
    textBytes = 0;
  }

  return {
    take(part) {
      for (let at = 0; at < part.length && !isTooMuch(); at++) {
        if (isInText) takeOfText(part[at] as number);
        else takeOther(part[at] as number);
      }
    },
    rest: () => (isTooMuch() ? null : Buffer.concat([...kept, out.subarray(0, used)])),
  };
}

/** Removes the byte order mark that some editors put at the start of a file. */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
