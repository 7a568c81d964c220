/**
 * Reads headers from the first lines of session files, or from the file's name when the header is
 * lost.
 */
import { readBeginning } from '@pi-ledger/core/machine/regular-file';
import { type Header, readHeader } from '@pi-ledger/core/record/entry';
import { sessionIdOfFile } from '@pi-ledger/core/record/session';
import { linesOf } from './session-file.ts';

const headBytesMax = 64 * 1024;
const headLinesMax = 5;
const keptMax = 10_000;

export interface FileHeaders {
  /**
   * Returns null when the file is missing, unreadable or has no header in its first lines.
   * Contract: never throws.
   */
  of(path: string): Header | null;
}

/** Remembers headers during one scan. */
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

/** Takes id and time from `<time>_<id>.jsonl`; null for other names. */
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
 * Takes the time from the hosts' ids (UUIDv7), slightly earlier than the header's. Null for other
 * ids.
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
  const head = readHead(path);
  if (head === null) return null;
  for (const { number, text, isFinished } of linesOf([head])) {
    const header = text !== null && isFinished ? readHeader(parsed(text)) : null;
    if (header !== null || number === headLinesMax) return header;
  }
  return null;
}

function readHead(path: string): Buffer | null {
  try {
    // Another file named this path, so it may be anything.
    return readBeginning(path, { bytesMax: headBytesMax }).bytes;
  } catch {
    return null; // missing or unreadable: an unknown ancestor
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a damaged line is no header
  }
}
