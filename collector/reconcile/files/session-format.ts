/** The session format of pi and oh-my-pi: one file of JSON lines for each session. */
import { closeSync, openSync } from 'node:fs';
import type { SourceFormat } from '../readers/reader.ts';
import { describeProblem } from './complaints.ts';
import { createEntryReader, type EntryReader } from './file-entries.ts';
import { parseLine } from './file-head.ts';
import type { FileUnit } from './file-unit.ts';
import { linesIn } from './lines.ts';
import {
  type FileProblem,
  findSessionFiles,
  type SessionFile,
  unreadable,
} from './session-files.ts';
import type { Json } from './usage-figures.ts';

export const sessionFormat: SourceFormat = {
  marksPrivacy: true,
  find: findSessionFiles,
  unitsIn,
};

// Reads the units of one session file, line by line.

export function* unitsIn(
  file: SessionFile,
  complain: (problem: FileProblem) => void,
): Generator<FileUnit> {
  const { path } = file;
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    complain(unreadable(path, error));
    return;
  }
  try {
    const entries = createEntryReader(file.header.sessionId);
    /** True before the first line other than a title, where even a damaged header is recognized. */
    let isHead = true;
    for (const line of linesIn(descriptor)) {
      if (line.text?.trim() === '') continue;
      const { parsed, units } = readLine(entries, line.text);
      const place = units === null ? null : placeIn(units, entries, line.text);
      if (place !== null) complain(inUnknownPlace(path, line.number, place, parsed?.type));
      else if (units !== null) yield* units;
      else if (!entries.isPaused) complain(describeProblem(path, line, parsed, isHead));
      isHead &&= parsed?.type === 'title';
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Where a line has usage that counts nowhere. */
function placeIn(
  units: readonly FileUnit[],
  entries: EntryReader,
  text: string | null,
): string | null {
  if (units.some(({ isInUnknownPlace }) => isInUnknownPlace)) return 'on';
  const place = text?.includes('"usage"') === true ? entries.unknownPlace : null;
  return place === null ? null : `at ${place} of`;
}

function inUnknownPlace(path: string, line: number, place: string, type: unknown): FileProblem {
  const where = `${place} an entry of type ${type}`;
  const message = `usage ${where}, where it has no known meaning: not counted`;
  return { path, line, message, reason: 'unknown_place' };
}

function readLine(entries: EntryReader, text: string | null) {
  const parsed = text === null ? undefined : parseLine(text);
  return { parsed, units: parsed == null ? null : readShallow(entries, parsed) };
}

/** Returns null for a line nested hundreds of levels deep: no host writes such an entry. */
function readShallow(entries: EntryReader, line: Json): readonly FileUnit[] | null {
  try {
    return entries.read(line);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
