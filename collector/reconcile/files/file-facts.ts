/**
 * What the session files say, session by session: sums first, and single units only for sessions
 * that need a closer look.
 *
 * The owner of a unit is the oldest file with it, by the headers; a copy that lost its price owns
 * it only if no other file holds it. This ignores parents of forks.
 */
import { claimsMax } from '../claim-book.ts';
import { addFigures, addUnit, unitFigures } from '../figures.ts';
import type { FormatSearch, SourceFormat } from '../readers/reader.ts';
import { claimKeyOf, type Unit } from '../unit.ts';
import { createComplaints } from './complaints.ts';
import { type FileChild, findChildren, type NamedClaim } from './file-children.ts';
import { inOrder } from './file-order.ts';
import { addCopy, type FileSession, isAside, noteTime, openSession } from './file-session.ts';
import type { FileUnit } from './file-unit.ts';
import { createFirstHolders, type HeldUnit } from './first-holders.ts';
import { findPrivateParts } from './private-files.ts';
import { createSpentResults, type ResultTie, type SpentResult } from './result-ties.ts';
import { createSealedUnits, type SealedSession } from './sealed-units.ts';
import { createSeenUnits } from './seen-units.ts';
// What pi and omp are read with is needed whenever files are: the bundle keeps it together.
import './session-format.ts';
import type { FileProblem, SessionFile, Stream } from './session-files.ts';
import { streamsWithin } from './streams.ts';
import { unitsOrPrivate } from './units-or-private.ts';

export interface FileFacts {
  readonly sessions: ReadonlyMap<string, FileSession>;
  readonly children: readonly FileChild[];
  /**
   * What tool results claim that others spent, including nested spend that the host books on the
   * result.
   */
  readonly claims: readonly Unit[];
  /** Tool results that are about sessions with files. */
  readonly ties: readonly ResultTie[];
  /** Tool results with usage. */
  readonly results: readonly SpentResult[];
  /** Sessions that hold answers of another one under entry ids of their own, and how many. */
  readonly sameAnswers: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By session: what its files have from before the floor of deleted history. */
  readonly sealed: ReadonlyMap<string, SealedSession>;
  /** By session: others whose tool results repeat its answers from before the floor. */
  readonly sealedRepeaters: ReadonlyMap<string, ReadonlySet<string>>;
  readonly problems: readonly FileProblem[];
  /** Event streams of hosts, which are no session files: what of them is not private. */
  readonly streams: readonly Stream[];
  readonly bytes: number;
  /** The session that owns the unit with this identity; null when no file has it. */
  ownerOf(identity: string): string | null;
  /** Whether the user had paused the recording when the unit with this identity was made. */
  isPrivate(identity: string): boolean;
  /** Whether a private stretch names the session, which began at that time or before. */
  isNamedInPrivate(sessionId: string, timeMs: number): boolean;
  /** The session with the message of this response key; null when no file has it. */
  answererOf(responseKey: string): string | null;
  /** Reads the units of these sessions again, one by one, each with its file. */
  unitsOf(sessionIds: ReadonlySet<string>): Generator<UnitInFile>;
}

export interface UnitInFile extends Pick<FileUnit, 'unit' | 'responseKey'> {
  readonly file: SessionFile;
}

interface Period {
  readonly floorMs: number;
  readonly latestMs: number;
}

const sinceEver: Period = { floorMs: 0, latestMs: Number.POSITIVE_INFINITY };

/**
 * Reads every file once, and those with private stretches before. Units before the floor are only
 * counted. Throws like `find` of a format, and on more than a million claims.
 */
export function readFileFacts(
  searches: readonly FormatSearch[],
  { floorMs, latestMs }: Period = sinceEver,
): FileFacts {
  const { files, streams: printed, problems, formatFor } = findFiles(searches);
  const sessions = new Map<string, FileSession>();
  const seen = createSeenUnits();
  const answers = createSeenUnits();
  const hidden = createSeenUnits();
  const claims: Unit[] = [];
  const named: NamedClaim[] = [];
  const results = createSpentResults();
  const sameAnswers = new Map<string, Map<string, number>>();
  const sealed = createSealedUnits(keepDigits);
  const holders = createFirstHolders<FoundUnit>({
    seen,
    onFirst(found) {
      const { session, unit } = found;
      if (unit.timeMs > latestMs) session.unitsAhead += 1;
      if (floorMs > 0) sealed.noteClaim(unit);
      if (unit.timeMs < floorMs) takeSealed(found);
      else take(found);
    },
    onCopy: ({ session }, owner) => addCopy(session, files[owner]?.header.sessionId ?? ''),
  });

  function takeSealed(found: FoundUnit): void {
    found.session.sealedUnits += 1;
    sealed.take(found, found.responseKey === null ? null : keepDigits(found.responseKey));
  }

  function take(found: FoundUnit): void {
    const { session, index, unit, responseKey, turnAtMs } = found;
    const { claimKey, sessionId, timeMs } = unit;
    addUnit(session.sums, unit);
    noteTime(session, unit);
    if (found.isLowerBound) session.lowerBounds += 1;
    if (found.isUnsaidSummary) session.unsaidSummaries += 1;
    if (claimKeyOf(unit) !== null) claims.push(unit);
    results.take(found);
    if (claimKey?.startsWith('agent:') === true)
      named.push({ claimKey, sessionId, turnAtMs, timeMs });
    if (responseKey !== null)
      noteSame(unit, idAt(files, answers.add(keepDigits(responseKey), index)), sameAnswers);
  }

  const privateParts = findPrivateParts(
    [...files, ...printed.map(({ file }) => file)].filter((file) => formatFor(file).marksPrivacy),
  );
  const streams = streamsWithin(printed, { floorMs, latestMs }, privateParts);
  for (const [index, file] of files.entries()) {
    const session = openSession(sessions, file);
    results.open(file);
    if (privateParts.mayBePrivate(file.path)) session.mayBePrivate += 1;
    const complaints = createComplaints(file.path, problems, session.unreadableIds);
    for (const found of unitsOrPrivate(file, formatFor(file), privateParts, complaints.add)) {
      const { unit, unitId } = found;
      if (isAside(found, session, () => hidden.add(unitId, index) === null)) continue;
      addFigures(session.everything, unitFigures(unit));
      holders.add({ ...found, session, index, inherited: unit.timeMs < file.header.timeMs });
    }
    session.unreadableLines += complaints.end();
    if (Math.max(claims.length, sealed.repeated()) > claimsMax)
      throw new Error(
        `There are more than ${claimsMax} subagent claims: compare fewer directories at once.`,
      );
  }
  holders.end();
  const ties = results.ties(files);
  const placed = findChildren(files, sessions, named);
  return {
    sessions,
    ties,
    results: results.results,
    sameAnswers,
    children: [...placed, ...tiedChildren(ties, placed)],
    claims,
    sealed: sealed.sessions,
    sealedRepeaters: sealed.repeaters((index) => idAt(files, index) ?? ''),
    problems,
    streams,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ownerOf: (identity) => idAt(files, seen.find(identity)),
    isPrivate: (identity) => hidden.find(identity) !== null,
    isNamedInPrivate: privateParts.isNamed,
    answererOf: (responseKey) => idAt(files, answers.find(keepDigits(responseKey))),
    *unitsOf(sessionIds) {
      for (const [index, file] of files.entries()) {
        if (!sessionIds.has(file.header.sessionId)) continue;
        const told = new Set<string>();
        for (const { unit, unitId, responseKey } of formatFor(file).unitsIn(file, ignore)) {
          if (seen.find(unitId) === index && !told.has(unitId) && unit.timeMs >= floorMs)
            yield { unit, responseKey, file };
          told.add(unitId);
        }
      }
    },
  };
}

/**
 * The files of all formats: the oldest header first, but a fork after its parent, since the first
 * file that holds a unit owns it.
 */
function findFiles(searches: readonly FormatSearch[]) {
  const formats = new Map<SessionFile, SourceFormat>();
  const found = [...Map.groupBy(searches, ({ format }) => format)].map(([format, own]) => {
    const each = format.find(own.flatMap(({ directories }) => directories));
    for (const file of each.files) formats.set(file, format);
    for (const { file } of each.streams) formats.set(file, format);
    return each;
  });
  return {
    files: inOrder(found.flatMap(({ files }) => files)),
    streams: found.flatMap(({ streams }) => streams),
    problems: found.flatMap(({ problems }) => problems),
    formatFor: (file: SessionFile) => formats.get(file) as SourceFormat,
  };
}

interface FoundUnit extends HeldUnit, FileUnit {
  readonly session: FileSession;
}

/** Those that their place does not tell of. */
function tiedChildren(
  ties: readonly ResultTie[],
  placed: readonly FileChild[],
): readonly FileChild[] {
  const known = new Set(placed.map(({ sessionId }) => sessionId));
  const tied = ties.filter(({ sessionId }) => !known.has(sessionId));
  const children = tied.map(({ sessionId, parentSessionId }) => ({
    sessionId,
    parentSessionId,
    claimKey: `session:${sessionId}`,
  }));
  return [...new Map(children.map((child) => [JSON.stringify(child), child])).values()];
}

function ignore(): void {
  // The file's problems were listed on the first reading.
}

function idAt(files: readonly SessionFile[], index: number | null): string | null {
  return index === null ? null : (files[index]?.header.sessionId ?? null);
}

/** A response key ends in 16 hex digits of a hash. */
function keepDigits(responseKey: string): string {
  return responseKey.slice(responseKey.indexOf(':') + 1);
}

/** `other`: the session that held the same answer before, if any. */
function noteSame(
  { kind, reported, sessionId }: Unit,
  other: string | null,
  into: Map<string, Map<string, number>>,
): void {
  if (other === null || other === sessionId || kind !== 'turn' || !reported) return;
  const known = into.get(sessionId) ?? new Map<string, number>();
  into.set(sessionId, known.set(other, (known.get(other) ?? 0) + 1));
}
