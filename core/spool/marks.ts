/**
 * How far each session is recorded: its last recorded entry, stored in the spool, so that a resumed
 * session continues from there.
 *
 * A mark has a fixed width and is overwritten in place with a single write within one page, which
 * `kill -9` cannot tear: 3 us, against 90 to 140 us for a temporary file and a rename (after which
 * ext4 flushes the file). It can also move when the disk is full. A power failure may lose it; then
 * entries are recorded again with the same ids, or left to the importer.
 */

import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile, writeFlags } from '../machine/regular-file.ts';
import { makeDirectory } from './directory.ts';
import { fileMode, marksDirectory } from './layout.ts';

export interface SpoolMark {
  /** It is null while the session is known, but nothing of it is recorded yet. */
  readonly entryId: string | null;
  readonly timestamp: string | null;
}

export interface Marks {
  /** Contract: never throws. Null without a readable mark. */
  read(sessionId: string): SpoolMark | null;
  /**
   * Contract: never throws, synchronous, one write, atomic against `kill -9`. False if it could not
   * be written: the old mark remains.
   */
  write(sessionId: string, mark: SpoolMark): boolean;
}

/** Size of the file; leaves room for ids far longer than any host's. */
export const markBytes = 256;
/** A larger file is no mark. */
const markBytesMax = 64 * 1024;

export function createMarks(options: { spoolDirectory: string }): Marks {
  const directory = marksDirectory(options.spoolDirectory);
  return {
    read: (sessionId) => parseMark(readText(join(directory, markName(sessionId)))),
    write(sessionId, mark) {
      const text = JSON.stringify({ entryId: mark.entryId, timestamp: mark.timestamp });
      const fillBytes = markBytes - 1 - Buffer.byteLength(text);
      if (fillBytes < 0) return false;
      return overwrite(
        directory,
        join(directory, markName(sessionId)),
        `${text}${' '.repeat(fillBytes)}\n`,
      );
    },
  };
}

/** Session ids are UUIDs; anything unsuitable as a file name is hashed. */
function markName(sessionId: string): string {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(sessionId)
    ? sessionId
    : createHash('sha256').update(sessionId).digest('hex');
}

function parseMark(text: string | null): SpoolMark | null {
  if (text === null) return null;
  try {
    const { entryId, timestamp } = JSON.parse(text) as Record<string, unknown>;
    return isTextOrNull(entryId) && isTextOrNull(timestamp) ? { entryId, timestamp } : null;
  } catch {
    return null; // empty (killed while it was created) or damaged: treated as missing
  }
}

const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';

function readText(path: string): string | null {
  try {
    return readRegularFile(path, { bytesMax: markBytesMax, refuseLinks: true });
  } catch {
    return null; // no mark yet
  }
}

function overwrite(directory: string, path: string, text: string): boolean {
  try {
    const fd = openOrMake(directory, path);
    try {
      return writeSync(fd, text, 0) === markBytes;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false; // the caller records these entries again later, with the same ids
  }
}

function openOrMake(directory: string, path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | writeFlags;
  try {
    return openSync(path, flags, fileMode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeDirectory(directory);
    return openSync(path, flags, fileMode);
  }
}
