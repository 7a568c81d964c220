/**
 * Session files that are private as a whole, though they do not say so: subagents that the tools of
 * a private stretch started, and the subagents of those. Shares no code with the importers.
 */
import { basename } from 'node:path';
import { parseTime, readMessage } from './entry-fields.ts';
import { readTail } from './file-header.ts';
import {
  findHiding,
  type Hiding,
  hidingOfAsked,
  hidingOfCopies,
  isDuring,
  nameOfEntry,
} from './hidden-subagents.ts';
import { endOpenSpans } from './open-spans.ts';
import { holdersAbove, isBelow, isBelowSession } from './private-folders.ts';
import { forksOfGone, namedId, type Suspect } from './private-forks.ts';
import { linesWithPrivacy, mayHavePrivateLines } from './private-lines-of.ts';
import { addsUp, isAnswer } from './private-sums.ts';
import type { SessionFile } from './session-files.ts';
import { createSpellings, type Spellings, spellingOf } from './spellings.ts';
import { responseKeyOf } from './tool-claims.ts';

export interface PrivateParts {
  /** Whether the file at this path is private as a whole. */
  isWhole(path: string): boolean;
  /** Whether the entry is private in a session, wherever else it has been copied to. */
  isPrivate(entryId: string, timeMs: number): boolean;
  /** A result of a private stretch says what it used, of a file of another name that is gone. */
  mayBePrivate(path: string): boolean;
  /** Whether a stretch names the session, as one that began in it or later. */
  isNamed(sessionId: string, timeMs: number): boolean;
}

export function findPrivateParts(files: readonly SessionFile[]): PrivateParts {
  const hiding = new Map<SessionFile, Hiding[]>();
  for (const file of files)
    if (mayHavePrivateLines(file.path)) hide(hiding, file, findHiding(file, false));
  endOpenSpans(hiding);
  const { hidden, doubtful } = findHidden(files, hiding);
  const entries = new Set([...hiding.values()].flat().flatMap((told) => [...told.entries]));
  return {
    isWhole: (path) => hidden.has(path),
    isPrivate: (entryId, timeMs) => entries.has(nameOfEntry(entryId, timeMs)),
    mayBePrivate: (path) => doubtful.has(path),
    isNamed: (sessionId, timeMs) =>
      [...hiding.values()].flat().some((told) => {
        const from = told.ids.get(sessionId)?.from ?? Number.POSITIVE_INFINITY;
        return timeMs >= from || (told.laterIds.has(sessionId) && isDuring(told, timeMs));
      }),
  };
}

/** Paths. Adds what the hidden ones tell: each may hide others, whatever their times. */
function findHidden(
  files: readonly SessionFile[],
  hiding: Map<SessionFile, Hiding[]>,
): { readonly hidden: ReadonlySet<string>; readonly doubtful: ReadonlySet<string> } {
  const hidden = new Set<string>();
  if (hiding.size === 0) return { hidden, doubtful: hidden };
  const known: Known = {
    byPath: new Map(files.map((file) => [file.path, file])),
    spellings: createSpellings(files.map(({ path }) => readTail(path))),
  };
  const suspects = [...files.map(asSuspect), ...forksOfGone(files)];
  let left: readonly Suspect[] = suspects;
  for (let before = -1; left.length !== before; ) {
    before = left.length;
    hideAsked(hiding, left, known);
    left = left.filter((suspect) => {
      const { file } = suspect;
      if (!isHiddenBy(hiding, suspect, known) || startsPaused(file)) return true;
      if (suspect.copies === null) hidden.add(file.path);
      hide(hiding, file, findTelling(suspect));
      return false;
    });
  }
  const doubtful = left.filter(
    (suspect) => !hidden.has(suspect.path) && isDoubtful(hiding, suspect, known),
  );
  return { hidden, doubtful: new Set(doubtful.map(({ path }) => path)) };
}

/** Sessions that a stretch asked, and that are older: private is what they did in it. */
function hideAsked(
  hiding: Map<SessionFile, Hiding[]>,
  left: readonly Suspect[],
  { spellings }: Known,
): void {
  for (const suspect of left) {
    const { file, copies, sessionId, timeMs } = suspect;
    if (copies !== null || hiding.get(file)?.some(({ isAsked }) => isAsked) === true) continue;
    const spans = [...hiding].flatMap(([other, parts]) =>
      other.header.sessionId === sessionId
        ? []
        : parts.flatMap((told) => {
            const naming = namingOf(told, suspect, spellings);
            if (naming === null || !naming.isPaid || timeMs >= naming.from) return [];
            return told.spans.filter(({ from }) => from >= naming.from);
          }),
    );
    if (spans.length > 0) hide(hiding, file, hidingOfAsked(file, spans));
  }
}

function findTelling({ file, copies }: Suspect): Hiding | null {
  return copies === null ? findHiding(file, true) : hidingOfCopies(file, copies());
}

function hide(hiding: Map<SessionFile, Hiding[]>, file: SessionFile, told: Hiding | null): void {
  if (told !== null) hiding.set(file, [...(hiding.get(file) ?? []), told]);
}

function asSuspect(file: SessionFile): Suspect {
  const { path, header } = file;
  return {
    file,
    copies: null,
    path,
    sessionId: header.sessionId,
    timeMs: header.timeMs,
    isTimeTold: true,
    isChild: header.parentSession !== null,
    isTiedTo: (other) => {
      const named = header.parentSession ?? '';
      const { parentSession: forked, sessionId, timeMs } = other.header;
      const id = namedId(named);
      if (id === sessionId || basename(named) === basename(other.path)) return true;
      // A fork has copied what was before it from the session that its header names.
      if (forked === null || header.timeMs >= timeMs) return false;
      return id === null ? basename(named) === basename(forked) : id === namedId(forked);
    },
    *lines() {
      for (const { line } of linesWithPrivacy(path))
        if ((parseTime(line.timestamp) ?? 0) >= header.timeMs) yield line;
    },
  };
}

/** All files, by their path and by its end. */
interface Known {
  readonly byPath: ReadonlyMap<string, SessionFile>;
  readonly spellings: Spellings;
}

function isHiddenBy(
  hiding: ReadonlyMap<SessionFile, readonly Hiding[]>,
  suspect: Suspect,
  { byPath, spellings }: Known,
): boolean {
  const { path, timeMs } = suspect;
  const holders = holdersAbove(path, byPath, hiding);
  if (holders.some((holder) => holder.file.path !== path && isBelow(holder, timeMs, hiding)))
    return true;
  for (const [other, parts] of hiding)
    if (parts.some((told) => isToldBy(told, other, suspect, spellings))) return true;
  return false;
}

function isToldBy(
  told: Hiding,
  other: SessionFile,
  suspect: Suspect,
  spellings: Spellings,
): boolean {
  const { path, sessionId, timeMs } = suspect;
  if (other.header.sessionId === sessionId)
    return told.isAll && (suspect.copies !== null || other.header.timeMs === timeMs);
  const naming = namingOf(told, suspect, spellings);
  if (naming !== null && (timeMs >= naming.from || !suspect.isTimeTold)) return true;
  if (!isDuring(told, timeMs)) return false;
  const isNamedLater = told.laterIds.has(sessionId) || isTail(told.laterTails, path, spellings);
  return isNamedLater || isRepeatedBy(told, other, suspect) || isMovedFrom(told, other, suspect);
}

function namingOf({ ids, tails }: Hiding, { path, sessionId }: Suspect, spellings: Spellings) {
  const tail = readTail(path);
  const meant = [...tails].find(
    ([said]) => said === tail || spellings.meantBy(said).includes(tail),
  );
  return ids.get(sessionId) ?? meant?.[1] ?? null;
}

function isTail(tails: ReadonlySet<string>, path: string, spellings: Spellings): boolean {
  if (tails.size === 0) return false;
  const tail = readTail(path);
  return tails.has(tail) || [...tails].some((said) => spellings.meantBy(said).includes(tail));
}

/** Its first answer is repeated; or it is tied to the parent, and records add up to a sum. */
function isRepeatedBy(told: Hiding, other: SessionFile, suspect: Suspect): boolean {
  if (told.answers.size + told.sums.length === 0) return false;
  const lines = [...suspect.lines()];
  const first = readMessage(lines.find(isAnswer) ?? {});
  if (first !== null && told.answers.has(responseKeyOf(first))) return true;
  return suspect.isTiedTo(other) && addsUp(lines, told.sums);
}

/** A result names a file of its name and says what it used: it was moved from there. */
function isMovedFrom(told: Hiding, other: SessionFile, suspect: Suspect): boolean {
  const name = spellingOf(basename(suspect.path));
  return isRunOf(told, other, suspect, (tail) => spellingOf(basename(tail)) === name);
}

/** As one that was moved, but its name is another one, too. */
function isDoubtful(
  hiding: ReadonlyMap<SessionFile, readonly Hiding[]>,
  suspect: Suspect,
  { spellings }: Known,
): boolean {
  const isGone = (tail: string) => spellings.meantBy(tail).length === 0;
  return [...hiding].some(([other, parts]) =>
    parts.some((told) => isDuring(told, suspect.timeMs) && isRunOf(told, other, suspect, isGone)),
  );
}

function isRunOf(
  { runs }: Hiding,
  other: SessionFile,
  suspect: Suspect,
  isMeant: (tail: string) => boolean,
): boolean {
  const { copies, path, isChild } = suspect;
  if (other.path === path || copies !== null || (isChild && !suspect.isTiedTo(other))) return false;
  const said = runs.flatMap(({ tail, count }) => (isMeant(tail) ? [count] : []));
  if (said.length === 0 || isBelowSession(path)) return false;
  return addsUp([...suspect.lines()], said);
}

/** Then its own entries say what of it is private. */
function startsPaused({ path }: SessionFile): boolean {
  for (const { line, taken, isPaused } of linesWithPrivacy(path)) {
    if (isPaused || taken === 'resumed') return isPaused;
    if (readMessage(line)?.role === 'assistant') return false;
  }
  return false;
}
