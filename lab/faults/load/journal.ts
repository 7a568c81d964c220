/**
 * What a producer process promises, written down where the harness reads it: a line before each
 * append and one after it. A process that is killed in between leaves the first without the second.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Note } from '../truth/offered.ts';

export interface JournalWriter {
  write(note: Note): void;
}

export function openJournal(path: string): JournalWriter {
  const fd = openSync(path, 'a');
  return { write: (note) => void writeSync(fd, `${JSON.stringify(note)}\n`) };
}

export interface JournalReader {
  /** What has been written since the last call. */
  news(): readonly Note[];
}

export function readJournal(path: string): JournalReader {
  let position = 0;
  let rest = '';
  return {
    news() {
      const text = rest + textFrom(path, position);
      position += Buffer.byteLength(text) - Buffer.byteLength(rest);
      const lines = text.split('\n');
      rest = lines.pop() ?? '';
      return lines.map((line) => JSON.parse(line) as Note);
    },
  };
}

function textFrom(path: string, position: number): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return ''; // nothing written yet
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - position));
    const read = readSync(fd, bytes, 0, bytes.length, position);
    return bytes.toString('utf8', 0, read);
  } finally {
    closeSync(fd);
  }
}
