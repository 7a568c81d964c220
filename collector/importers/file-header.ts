/** The headers of session files, of which the first lines are read, and what a file's name says when its header is lost. */
import { closeSync, openSync, readSync } from 'node:fs';
import { type Header, readHeader } from '@pi-ledger/extension/record/entry';
import { sessionIdOfFile } from '@pi-ledger/extension/record/session';
import { linesOf } from './session-file.ts';

const headBytesMax = 64 * 1024;
const headLinesMax = 5;
const keptMax = 10_000;

export interface FileHeaders {
  /** Null when the file is gone, cannot be read or has no header in its first lines. Contract: never throws. */
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
  const [, day, hour, minute, second, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z_[^/\\]*$/.exec(path) ?? [];
  return readHeader({ type: 'session', id, timestamp: `${day}T${hour}:${minute}:${second}.${ms ?? '000'}Z` });
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
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(headBytesMax);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, headBytesMax, 0));
    } finally {
      closeSync(descriptor);
    }
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
