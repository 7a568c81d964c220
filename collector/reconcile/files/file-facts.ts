/**
 * What the session files say, one session after the other: sums first, single units only for
 * sessions that are asked for again.
 *
 * The owner of a unit is the oldest file that holds it, by the headers; of those that copied it and
 * lost its price, only where no other file holds it. That is all that this knows of forks: it
 * follows no parent.
 */
import { closeSync, openSync } from 'node:fs';
import { claimsMax } from '../claims.ts';
import { addUnit, noSums, type SessionSums } from '../figures.ts';
import { claimKeyOf, type Unit } from '../unit.ts';
import { createComplaints, problemOf } from './complaints.ts';
import { createEntryReader, type EntryReader, type FileUnit } from './file-entries.ts';
import { createFirstHolders, type HeldUnit } from './first-holders.ts';
import { linesIn } from './lines.ts';
import { createSeenUnits } from './seen-units.ts';
import {
  type FileProblem,
  findSessionFiles,
  parentFileOf,
  parseLine,
  type SessionFile,
  unreadable,
} from './session-files.ts';
import type { Json } from './usage-figures.ts';

export interface FileSession {
  readonly sessionId: string;
  /** One, or several copies of it. */
  readonly files: SessionFile[];
  readonly sums: SessionSums;
  /** How many units of which session stand here once more. */
  readonly copies: Map<string, number>;
  unreadableLines: number;
  /** Of lines that cannot be read, as far as they say so. */
  readonly unreadableIds: Set<string>;
  /** Below the floor of what was deleted: in no sums. */
  sealedUnits: number;
  /** Of a time that no log takes yet. */
  unitsAhead: number;
}

/** A subagent's session, told by where its file stands. */
export interface FileChild {
  readonly sessionId: string;
  readonly parentSessionId: string;
  /** `agent:<name>` */
  readonly claimKey: string;
}

export interface FileFacts {
  readonly sessions: ReadonlyMap<string, FileSession>;
  readonly children: readonly FileChild[];
  /**
   * What tool results say that others spent, nested spend that the host books on the result
   * included.
   */
  readonly claims: readonly Unit[];
  readonly problems: readonly FileProblem[];
  readonly bytes: number;
  /** The session that owns the unit with this identity; null when no file holds it. */
  ownerOf(identity: string): string | null;
  /** The session that holds the message with this response key; null when no file holds it. */
  answererOf(responseKey: string): string | null;
  /** The units of these sessions once more, one by one, with the file that each stands in. */
  unitsOf(
    sessionIds: ReadonlySet<string>,
  ): Generator<{ readonly unit: Unit; readonly file: SessionFile }>;
}

interface Period {
  readonly floorMs: number;
  readonly latestMs: number;
}

const sinceEver: Period = { floorMs: 0, latestMs: Number.POSITIVE_INFINITY };

/**
 * Reads every file once. Units of before the floor are counted, and otherwise left out. Throws as
 * `findSessionFiles` does, and with more than a million claims.
 */
export function readFileFacts(
  directories: readonly string[],
  { floorMs, latestMs }: Period = sinceEver,
): FileFacts {
  const { files, problems: found } = findSessionFiles(directories);
  const problems = [...found];
  const sessions = new Map<string, FileSession>();
  const seen = createSeenUnits();
  const answers = createSeenUnits();
  const claims: Unit[] = [];
  const holders = createFirstHolders<Found>({
    seen,
    onFirst(found) {
      const { session, unit } = found;
      if (unit.timeMs > latestMs) session.unitsAhead += 1;
      if (unit.timeMs < floorMs) session.sealedUnits += 1;
      else take(found);
    },
    onCopy: ({ session }, owner) => addCopy(session, files[owner]?.header.sessionId ?? ''),
  });

  function take({ session, index, unit, responseKey }: Found): void {
    addUnit(session.sums, unit);
    if (claimKeyOf(unit) !== null) claims.push(unit);
    if (responseKey !== null) answers.add(digitsOf(responseKey), index);
  }

  for (const [index, file] of files.entries()) {
    const session = sessionOf(sessions, file);
    const complaints = createComplaints(file.path, problems, session.unreadableIds);
    for (const { unit, place, responseKey } of unitsIn(file, complaints.add)) {
      holders.add({
        session,
        index,
        unit,
        place,
        responseKey,
        inherited: unit.timeMs < file.header.timeMs,
      });
    }
    session.unreadableLines += complaints.end();
    if (claims.length > claimsMax)
      throw new Error(
        `More than ${claimsMax} claims of subagents: compare fewer directories at once.`,
      );
  }
  holders.end();
  return {
    sessions,
    children: childrenOf(files, sessions),
    claims,
    problems,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ownerOf: (identity) => idAt(files, seen.find(identity)),
    answererOf: (responseKey) => idAt(files, answers.find(digitsOf(responseKey))),
    *unitsOf(sessionIds) {
      for (const [index, file] of files.entries()) {
        if (!sessionIds.has(file.header.sessionId)) continue;
        const told = new Set<string>();
        for (const { unit, place } of unitsIn(file, ignore)) {
          if (seen.find(place) === index && !told.has(place) && unit.timeMs >= floorMs)
            yield { unit, file };
          told.add(place);
        }
      }
    },
  };
}

interface Found extends HeldUnit {
  readonly session: FileSession;
  readonly responseKey: string | null;
}

function ignore(): void {
  // The problems of a file were listed when it was read first.
}

function idAt(files: readonly SessionFile[], index: number | null): string | null {
  return index === null ? null : (files[index]?.header.sessionId ?? null);
}

/** A response key ends in 16 hex digits of a hash. */
function digitsOf(responseKey: string): string {
  return responseKey.slice(responseKey.indexOf(':') + 1);
}

function sessionOf(sessions: Map<string, FileSession>, file: SessionFile): FileSession {
  const { sessionId } = file.header;
  const session = sessions.get(sessionId) ?? createSession(sessionId);
  session.files.push(file);
  sessions.set(sessionId, session);
  return session;
}

function createSession(sessionId: string): FileSession {
  return {
    sessionId,
    files: [],
    sums: noSums(),
    copies: new Map(),
    unreadableLines: 0,
    unreadableIds: new Set(),
    sealedUnits: 0,
    unitsAhead: 0,
  };
}

function addCopy(session: FileSession, owner: string): void {
  session.copies.set(owner, (session.copies.get(owner) ?? 0) + 1);
}

function* unitsIn(
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
    /** The header may be damaged: its place is in front of all else. */
    let isHead = true;
    for (const line of linesIn(descriptor)) {
      if (line.text?.trim() === '') continue;
      const parsed = line.text === null ? undefined : parseLine(line.text);
      const units = parsed == null ? null : readShallow(entries, parsed);
      if (units !== null) yield* units;
      else complain(problemOf(path, line, parsed, isHead));
      isHead &&= parsed?.type === 'title';
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * A line that is nested thousands of levels deep is no entry that anybody wrote; walking through it
 * overflows the stack.
 */
function readShallow(entries: EntryReader, line: Json): readonly FileUnit[] | null {
  try {
    return entries.read(line);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function childrenOf(
  files: readonly SessionFile[],
  sessions: ReadonlyMap<string, FileSession>,
): readonly FileChild[] {
  const byPath = new Map(files.map(({ path, header }) => [path, header.sessionId]));
  const children = files.flatMap(({ path, header: { sessionId } }) => {
    const parent = parentFileOf(path);
    const named = /_([^_/\\]+)\.jsonl$/.exec(parent.path)?.[1] ?? '';
    const parentSessionId = byPath.get(parent.path) ?? (sessions.has(named) ? named : null);
    return parentSessionId === null
      ? []
      : [{ sessionId, parentSessionId, claimKey: `agent:${parent.agentName}` }];
  });
  return [...new Map(children.map((child) => [JSON.stringify(child), child])).values()];
}
