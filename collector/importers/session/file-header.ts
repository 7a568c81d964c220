/**
 * The headers of session files, of which the first lines are read, and what a file's name says when
 * its header is lost.
 */
import { type Header, readHeader } from '@pi-ledger/extension/record/entry';
import { sessionIdOfFile } from '@pi-ledger/extension/record/session';
import { readBeginning } from '@pi-ledger/extension/spool/regular-file';
import { linesOf } from './session-file.ts';

const headBytesMax = 64 * 1024;
const headLinesMax = 5;
const keptMax = 10_000;

export interface FileHeaders {
  /**
   * Null when the file is gone, cannot be read or has no header in its first lines. Contract: never
   * throws.
   */
  of(path: string): Header | null;
}

/** Remembers what it has read, for one pass. */
export function createFileHeaders(): FileHeaders {
  const known = new Map<string, Header | null>();
  return {
    of(path) {
      const header = known.get(path);
      if (header !== undefined) return header;
      if (known.size >= keptMax) known.clear();
      const read = headerIn(path);
      known.set(path, read);
      return read;
    },
  };
}

/** Id and time from `<time>_<id>.jsonl`; null for other names. */
export function headerByName(path: string): Header | null {
  const id = sessionIdOfFile(path);
  const [, day, hour, minute, second, ms] =
    /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z_[^/\\]*$/.exec(path) ?? [];
  return readHeader({
    type: 'session',
    id,
    timestamp: `${day}T${hour}:${minute}:${second}.${ms ?? '000'}Z`,
  });
}

/**
 * Ids that the hosts draw (UUIDv7) begin with their time, a moment before that of the header. Null
 * for other ids.
 */
export function headerById(id: string | null): Header | null {
  const [, high, low] =
    /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id ?? '') ??
    [];
  if (high === undefined) return null;
  return readHeader({
    type: 'session',
    id,
    timestamp: new Date(Number.parseInt(high + low, 16)).toISOString(),
  });
}

function headerIn(path: string): Header | null {
  const head = headOf(path);
  if (head === null) return null;
  for (const { number, text, isFinished } of linesOf([head])) {
    const header = text !== null && isFinished ? readHeader(parsed(text)) : null;
    if (header !== null || number === headLinesMax) return header;
  }
  return null;
}

function headOf(path: string): Buffer | null {
  try {
    return readBeginning(path, { bytesMax: headBytesMax }).bytes; // named by another file, it may be anything
  } catch {
    return null; // gone, or not ours to read: an ancestor that nobody can ask
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a damaged line is no header
  }
}
