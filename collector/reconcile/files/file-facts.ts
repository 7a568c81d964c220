/**
 * What the session files say, session by session: sums first, and single units only for sessions
 * that need a closer look.
 *
 * The owner of a unit is the oldest file with it, by the headers; a copy that lost its price owns
 * it only if no other file holds it. This ignores parents of forks.
 */
import { claimsMax } from '../claims.ts';
import { addUnit, noSums, type SessionSums } from '../figures.ts';
import { claimKeyOf, type Unit } from '../unit.ts';
import { createComplaints } from './complaints.ts';
import { childrenOf, type FileChild, type NamedClaim } from './file-children.ts';
import { createFirstHolders, type HeldUnit } from './first-holders.ts';
import { privateFilesAmong } from './private-files.ts';
import { createSeenUnits } from './seen-units.ts';
import { type FileProblem, findSessionFiles, type SessionFile } from './session-files.ts';
import { unitsIn } from './units-in-file.ts';

export interface FileSession {
  readonly sessionId: string;
  /** The session's file, or several copies of it. */
  readonly files: SessionFile[];
  readonly sums: SessionSums;
  /** How many units are copies, by the session that owns them. */
  readonly copies: Map<string, number>;
  unreadableLines: number;
  /** Entry ids on unreadable lines, as far as they can be found. */
  readonly unreadableIds: Set<string>;
  /** Units before the floor of deleted history, in no sums. */
  sealedUnits: number;
  /** Units too far in the future for the log. */
  unitsAhead: number;
  /** Units made while the user had paused the recording, in no sums. Copies count once. */
  privateUnits: number;
  /** Units that another agent spent, in no sums. */
  otherAgentsUnits: number;
}

export interface FileFacts {
  readonly sessions: ReadonlyMap<string, FileSession>;
  readonly children: readonly FileChild[];
  /**
   * What tool results claim that others spent, including nested spend that the host books on the
   * result.
   */
  readonly claims: readonly Unit[];
  readonly problems: readonly FileProblem[];
  readonly bytes: number;
  /** The session that owns the unit with this identity; null when no file has it. */
  ownerOf(identity: string): string | null;
  /** Whether the user had paused the recording when the unit with this identity was made. */
  isPrivate(identity: string): boolean;
  /** The session with the message of this response key; null when no file has it. */
  answererOf(responseKey: string): string | null;
  /** Reads the units of these sessions again, one by one, each with its file. */
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
 * Reads every file once, and those of private stretches before. Units before the floor are only counted. Throws like `findSessionFiles`,
 * and on more than a million claims.
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
  const hidden = createSeenUnits();
  const claims: Unit[] = [];
  const named: NamedClaim[] = [];
  const holders = createFirstHolders<FoundUnit>({
    seen,
    onFirst(found) {
      const { session, unit } = found;
      if (unit.timeMs > latestMs) session.unitsAhead += 1;
      if (unit.timeMs < floorMs) session.sealedUnits += 1;
      else take(found);
    },
    onCopy: ({ session }, owner) => addCopy(session, files[owner]?.header.sessionId ?? ''),
  });

  function take({ session, index, unit, responseKey, turnAtMs }: FoundUnit): void {
    const { claimKey, sessionId, timeMs } = unit;
    addUnit(session.sums, unit);
    if (claimKeyOf(unit) !== null) claims.push(unit);
    if (claimKey?.startsWith('agent:') === true)
      named.push({ claimKey, sessionId, turnAtMs, timeMs });
    if (responseKey !== null) answers.add(digitsOf(responseKey), index);
  }

  const privateFiles = privateFilesAmong(files);
  for (const [index, file] of files.entries()) {
    const session = sessionOf(sessions, file);
    const complaints = createComplaints(file.path, problems, session.unreadableIds);
    for (const found of unitsOrPrivate(file, privateFiles, complaints.add)) {
      const { unit, unitId, responseKey, turnAtMs } = found;
      if (found.isPrivate) {
        if (hidden.add(unitId, index) === null) session.privateUnits += 1;
        continue;
      }
      if (found.isOfOtherAgent) {
        session.otherAgentsUnits += 1;
        continue;
      }
      holders.add({
        session,
        index,
        unit,
        unitId,
        responseKey,
        turnAtMs,
        inherited: unit.timeMs < file.header.timeMs,
      });
    }
    session.unreadableLines += complaints.end();
    if (claims.length > claimsMax)
      throw new Error(
        `There are more than ${claimsMax} subagent claims: compare fewer directories at once.`,
      );
  }
  holders.end();
  return {
    sessions,
    children: childrenOf(files, sessions, named),
    claims,
    problems,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ownerOf: (identity) => idAt(files, seen.find(identity)),
    isPrivate: (identity) => hidden.find(identity) !== null,
    answererOf: (responseKey) => idAt(files, answers.find(digitsOf(responseKey))),
    *unitsOf(sessionIds) {
      for (const [index, file] of files.entries()) {
        if (!sessionIds.has(file.header.sessionId)) continue;
        const told = new Set<string>();
        for (const { unit, unitId } of unitsIn(file, ignore)) {
          if (seen.find(unitId) === index && !told.has(unitId) && unit.timeMs >= floorMs)
            yield { unit, file };
          told.add(unitId);
        }
      }
    },
  };
}

interface FoundUnit extends HeldUnit {
  readonly session: FileSession;
  readonly responseKey: string | null;
  readonly turnAtMs: number | null;
}

/** Nobody misses a line that cannot be read of a file that is private as a whole. */
function* unitsOrPrivate(
  file: SessionFile,
  privateFiles: ReadonlySet<string>,
  complain: Parameters<typeof unitsIn>[1],
): ReturnType<typeof unitsIn> {
  if (!privateFiles.has(file.path)) yield* unitsIn(file, complain);
  else for (const unit of unitsIn(file, ignore)) yield { ...unit, isPrivate: true };
}

function ignore(): void {
  // The file's problems were listed on the first reading, or are missed by nobody.
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
    privateUnits: 0,
    otherAgentsUnits: 0,
  };
}

function addCopy(session: FileSession, owner: string): void {
  session.copies.set(owner, (session.copies.get(owner) ?? 0) + 1);
}
