/**
 * Session files that are private as a whole, though they do not say so: subagents that the tools of
 * a private stretch started, and the subagents of those. Shares no code with the importers.
 */
import { basename, dirname } from 'node:path';
import { parseTime, readMessage } from './entry-fields.ts';
import { readTail, sessionIdInTimedName } from './file-header.ts';
import {
  findHiding,
  type Hiding,
  hidingOfCopies,
  isDuring,
  nameOfEntry,
  type ReadCount,
  readCount,
} from './hidden-subagents.ts';
import { forksOfGone, type Suspect } from './private-forks.ts';
import { linesWithPrivacy, mayHavePrivateLines } from './private-lines-of.ts';
import type { SessionFile } from './session-files.ts';
import { createSpellings, type Spellings } from './spellings.ts';
import { responseKeyOf } from './tool-claims.ts';
import type { Json } from './usage-figures.ts';

export interface PrivateParts {
  /** Whether the file at this path is private as a whole. */
  isWhole(path: string): boolean;
  /** Whether the entry is private in a session, wherever else it has been copied to. */
  isPrivate(entryId: string, timeMs: number): boolean;
}

export function findPrivateParts(files: readonly SessionFile[]): PrivateParts {
  const hiding = new Map<SessionFile, Hiding[]>();
  for (const file of files)
    if (mayHavePrivateLines(file.path)) hide(hiding, file, findHiding(file, false));
  const hidden = findHidden(files, hiding);
  const entries = new Set([...hiding.values()].flat().flatMap((told) => [...told.entries]));
  return {
    isWhole: (path) => hidden.has(path),
    isPrivate: (entryId, timeMs) => entries.has(nameOfEntry(entryId, timeMs)),
  };
}

/** Paths. Adds what the hidden ones tell: each may hide others, whatever their times. */
function findHidden(
  files: readonly SessionFile[],
  hiding: Map<SessionFile, Hiding[]>,
): ReadonlySet<string> {
  const hidden = new Set<string>();
  if (hiding.size === 0) return hidden;
  const known: Known = {
    byPath: new Map(files.map((file) => [file.path, file])),
    spellings: createSpellings(files.map(({ path }) => readTail(path))),
  };
  const suspects = [...files.map(asSuspect), ...forksOfGone(files)];
  for (let left: readonly Suspect[] = suspects, before = -1; left.length !== before; ) {
    before = left.length;
    left = left.filter((suspect) => {
      const { file } = suspect;
      if (!isHiddenBy(hiding, suspect, known) || startsPaused(file)) return true;
      if (suspect.copies === null) hidden.add(file.path);
      hide(hiding, file, findTelling(suspect));
      return false;
    });
  }
  return hidden;
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
    isTiedTo: (other) => {
      const named = header.parentSession ?? '';
      const id = sessionIdInTimedName(named) ?? named;
      return id === other.header.sessionId || basename(named) === basename(other.path);
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
  const holder = holderAbove(path, byPath, hiding);
  if (holder !== undefined && holder.path !== path && isIn(hiding.get(holder), timeMs)) return true;
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
  if (other.header.sessionId === sessionId) return told.isAll;
  if (told.ids.has(sessionId) || isTail(told.tails, path, spellings)) return true;
  if (!isDuring(told, timeMs)) return false;
  const isNamedLater = told.laterIds.has(sessionId) || isTail(told.laterTails, path, spellings);
  return isNamedLater || isRepeatedBy(told, other, suspect);
}

function isTail(tails: ReadonlySet<string>, path: string, spellings: Spellings): boolean {
  if (tails.size === 0) return false;
  const tail = readTail(path);
  return tails.has(tail) || [...tails].some((said) => spellings.meantBy(said).includes(tail));
}

function isIn(parts: readonly Hiding[] = [], timeMs: number): boolean {
  return parts.some((told) => told.isAll || isDuring(told, timeMs));
}

/** The session in whose folder the file lies. */
function holderAbove(
  path: string,
  byPath: ReadonlyMap<string, SessionFile>,
  hiding: ReadonlyMap<SessionFile, readonly Hiding[]>,
): SessionFile | undefined {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const file = byPath.get(`${at}.jsonl`);
    if (file !== undefined) return file;
    const id = sessionIdInTimedName(`${at}.jsonl`);
    if (id !== null) return [...hiding.keys()].find(({ header }) => header.sessionId === id);
  }
  return undefined;
}

/** Its first answer is repeated; or it is tied to the parent, and records add up to a sum. */
function isRepeatedBy(told: Hiding, other: SessionFile, suspect: Suspect): boolean {
  if (told.answers.size + told.sums.length === 0) return false;
  const lines = [...suspect.lines()];
  const first = readMessage(lines.find(isAnswer) ?? {});
  if (first !== null && told.answers.has(responseKeyOf(first))) return true;
  if (!suspect.isTiedTo(other)) return false;
  return [isAnswer, isNoToolResult, () => true].some((isSummed) =>
    isSumOfSome(lines.filter(isSummed).map(countIn), told),
  );
}

function isAnswer(line: Json): boolean {
  return readMessage(line)?.role === 'assistant';
}

function isNoToolResult(line: Json): boolean {
  return isAnswer(line) || readMessage(line) === null;
}

function countIn(line: Json): ReadCount {
  return readCount((readMessage(line) ?? line).usage);
}

/** Only records one after another make up a sum here. */
function isSumOfSome(counts: readonly ReadCount[], { sums }: Hiding): boolean {
  const wanted = sums.filter((sum) => sum.some((count) => count > 0));
  const totals = new Set([String([0, 0, 0, 0])]);
  let total: ReadCount = [0, 0, 0, 0];
  for (const count of counts) {
    total = each(total, count, (left, right) => left + right);
    const end = total;
    if (wanted.some((sum) => totals.has(String(each(end, sum, (left, right) => left - right)))))
      return true;
    totals.add(String(total));
  }
  return false;
}

function each(
  left: ReadCount,
  right: ReadCount,
  by: (left: number, right: number) => number,
): ReadCount {
  const [input, output, cacheRead, cacheWrite] = right;
  return [by(left[0], input), by(left[1], output), by(left[2], cacheRead), by(left[3], cacheWrite)];
}

/** Then its own entries say what of it is private. */
function startsPaused({ path }: SessionFile): boolean {
  for (const { line, taken, isPaused } of linesWithPrivacy(path)) {
    if (isPaused || taken === 'resumed') return isPaused;
    if (readMessage(line)?.role === 'assistant') return false;
  }
  return false;
}
