/**
 * One append to one segment: open by path, one write, close. No fsync: the data survives `kill -9`
 * of the process, but not a power failure.
 *
 * Opening by path each time makes adoption safe: after a segment was renamed away, the next append
 * starts a new file. One gap remains: an owner wrongly considered dead that is suspended between
 * open and write (some 3 us) while the adopter renames, ships and removes the file.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFlags } from '../machine/regular-file.ts';
import { makeDirectory } from './directory.ts';
import { fileMode } from './layout.ts';

/**
 * `refused`: none of the text is in the file. `torn`: a beginning of it may be, with this many
 * complete lines. Nothing may be appended to that file any more, because the torn line would
 * swallow the next one.
 */
export type AppendOutcome =
  | { readonly state: 'written' }
  | { readonly state: 'refused' }
  | { readonly state: 'torn'; readonly bytes: number; readonly wholeLines: number };

/**
 * Contract: synchronous, never throws, blocks for one write to the page cache. `bytes` is the
 * length of the text in UTF-8.
 */
export function appendToSegment(path: string, text: string, bytes: number): AppendOutcome {
  const fd = openSegment(path);
  if (fd === null) return { state: 'refused' };
  const outcome = writeOnce(fd, text, bytes);
  // A network file system may report a full disk only now; whether the text was written is then
  // unknown.
  return closes(fd) ? outcome : { state: 'torn', bytes, wholeLines: linesIn(Buffer.from(text)) };
}

/**
 * Creates the directory for the first append, and again if an adopter has removed it in between.
 */
function openSegment(path: string): number | null {
  for (let attempt = 1; attempt <= openAttemptsMax; attempt += 1) {
    try {
      return openSync(path, appendFlags, fileMode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !makesDirectory(dirname(path)))
        return null;
    }
  }
  return null;
}

const openAttemptsMax = 3;
const appendFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | writeFlags;

function makesDirectory(directory: string): boolean {
  try {
    makeDirectory(directory);
    return true;
  } catch {
    return false; // the caller counts the events as spoolUnwritable
  }
}

function writeOnce(fd: number, text: string, bytes: number): AppendOutcome {
  try {
    const writtenBytes = writeSync(fd, text);
    return writtenBytes === bytes ? { state: 'written' } : takeBack(fd, text, writtenBytes);
  } catch {
    return { state: 'refused' }; // a failed write has written nothing
  }
}

/** The disk filled up in the middle of the text: truncates what was written. */
function takeBack(fd: number, text: string, writtenBytes: number): AppendOutcome {
  try {
    ftruncateSync(fd, fstatSync(fd).size - writtenBytes);
    return { state: 'refused' };
  } catch {
    return {
      state: 'torn',
      bytes: writtenBytes,
      wholeLines: linesIn(Buffer.from(text).subarray(0, writtenBytes)),
    };
  }
}

function closes(fd: number): boolean {
  try {
    closeSync(fd);
    return true;
  } catch {
    return false; // the caller makes it `torn`
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}

const lineFeed = 0x0a;
