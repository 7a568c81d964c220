/**
 * Session files that are private as a whole, though they do not say so: subagents that the tools of
 * a private stretch started, and the subagents of those. Shares no code with the importers.
 */
import { basename, dirname } from 'node:path';
import { messageOf, timeOf } from './entry-fields.ts';
import { sessionIdInName } from './file-header.ts';
import {
  type Count,
  countOf,
  type Hiding,
  hidingOf,
  isDuring,
  tailOf,
} from './hidden-subagents.ts';
import { linesWithPrivacy, mayHavePrivateLines } from './private-lines-of.ts';
import type { SessionFile } from './session-files.ts';
import { responseKeyOf } from './tool-claims.ts';
import type { Json } from './usage-figures.ts';

export function privateFilesAmong(files: readonly SessionFile[]): ReadonlySet<string> {
  const hiding = new Map<SessionFile, Hiding>();
  for (const file of files)
    if (mayHavePrivateLines(file.path)) hide(hiding, file, hidingOf(file, false));
  const hidden = new Set<string>();
  const byPath = new Map(files.map((file) => [file.path, file]));
  // Each private subagent may hide others, whatever their times.
  for (let found = hiding.size > 0; found; ) {
    found = false;
    for (const file of files) {
      if (hidden.has(file.path) || !isHiddenBy(hiding, file, byPath) || startsPaused(file))
        continue;
      hidden.add(file.path);
      hide(hiding, file, hidingOf(file, true));
      found = true;
    }
  }
  return hidden;
}

function hide(hiding: Map<SessionFile, Hiding>, file: SessionFile, told: Hiding | null): void {
  if (told !== null) hiding.set(file, told);
}

function isHiddenBy(
  hiding: ReadonlyMap<SessionFile, Hiding>,
  file: SessionFile,
  byPath: ReadonlyMap<string, SessionFile>,
): boolean {
  const { path, header } = file;
  const holder = holderAbove(path, byPath, hiding);
  if (holder !== undefined && holder !== file && isIn(hiding.get(holder), header.timeMs))
    return true;
  for (const [other, told] of hiding) {
    if (other.header.sessionId === header.sessionId) continue;
    if (told.ids.has(header.sessionId) || isTail(told, path)) return true;
    if (isDuring(told, header.timeMs) && isRepeatedBy(told, other, file)) return true;
  }
  return false;
}

function isTail({ tails }: Hiding, path: string): boolean {
  return tails.size > 0 && sessionIdInName(path) === null && tails.has(tailOf(path));
}

function isIn(told: Hiding | undefined, timeMs: number): boolean {
  return told !== undefined && (told.isAll || isDuring(told, timeMs));
}

/** The session in whose folder the file lies. */
function holderAbove(
  path: string,
  byPath: ReadonlyMap<string, SessionFile>,
  hiding: ReadonlyMap<SessionFile, Hiding>,
): SessionFile | undefined {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const file = byPath.get(`${at}.jsonl`);
    if (file !== undefined) return file;
    const id = /^\d{4}-\d\d-\d\dT/.test(basename(at)) ? sessionIdInName(`${at}.jsonl`) : null;
    if (id !== null) return [...hiding.keys()].find(({ header }) => header.sessionId === id);
  }
  return undefined;
}

/** Its first answer is repeated; or its header names the parent, and answers add up to a sum. */
function isRepeatedBy(told: Hiding, other: SessionFile, file: SessionFile): boolean {
  if (told.answers.size + told.sums.length === 0) return false;
  const answers = [...answersIn(file)];
  const [first] = answers;
  if (first !== undefined && told.answers.has(responseKeyOf(first))) return true;
  return (
    isParentOf(other, file) &&
    isSumOfSome(
      answers.map(({ usage }) => countOf(usage)),
      told,
    )
  );
}

function* answersIn({ path, header }: SessionFile): Generator<Json> {
  for (const { line } of linesWithPrivacy(path)) {
    const message = messageOf(line);
    if (message?.role === 'assistant' && (timeOf(line.timestamp) ?? 0) >= header.timeMs)
      yield message;
  }
}

function isParentOf({ path, header }: SessionFile, child: SessionFile): boolean {
  const named = child.header.parentSession ?? '';
  return named === header.sessionId || basename(named) === basename(path);
}

/** Of answers one after another. */
function isSumOfSome(counts: readonly Count[], { sums }: Hiding): boolean {
  const wanted = sums.filter((sum) => sum.some((count) => count > 0));
  const totals = new Set([String([0, 0, 0, 0])]);
  let total: Count = [0, 0, 0, 0];
  for (const count of counts) {
    total = each(total, count, (left, right) => left + right);
    const end = total;
    if (wanted.some((sum) => totals.has(String(each(end, sum, (left, right) => left - right)))))
      return true;
    totals.add(String(total));
  }
  return false;
}

function each(left: Count, right: Count, by: (left: number, right: number) => number): Count {
  const [input, output, cacheRead, cacheWrite] = right;
  return [by(left[0], input), by(left[1], output), by(left[2], cacheRead), by(left[3], cacheWrite)];
}

/** Then its own entries say what of it is private. */
function startsPaused({ path }: SessionFile): boolean {
  for (const { line, taken, isPaused } of linesWithPrivacy(path)) {
    if (isPaused || taken === 'resumed') return isPaused;
    if (messageOf(line)?.role === 'assistant') return false;
  }
  return false;
}
