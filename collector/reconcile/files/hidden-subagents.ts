/** What the private part of a session file tells of subagents that its tools started. */
import { asText, jsonObjects, parseTime, readMessage } from './entry-fields.ts';
import { readTail, sessionIdInTimedName } from './file-header.ts';
import { linesWithPrivacy, type ReadLine } from './private-lines-of.ts';
import type { SessionFile } from './session-files.ts';
import { readClaims } from './tool-claims.ts';
import { isUnnamed, nameEntry } from './unnamed-entry.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

export interface Hiding {
  readonly isAll: boolean;
  readonly spans: { from: number; to: number }[];
  readonly ids: Set<string>;
  /** Ends of paths of files whose names do not tell the session. */
  readonly tails: Set<string>;
  /** The same in results after a stretch, which may be about what began in it. */
  readonly laterIds: Set<string>;
  readonly laterTails: Set<string>;
  /** Keys of answers that results of tools repeat. */
  readonly answers: Set<string>;
  readonly sums: ReadCount[];
  /** What results say of one subagent, and the end of its file's path. */
  readonly runs: { readonly tail: string; readonly count: ReadCount }[];
  /** Its private entries, by `entryIn`; copies of them are private, too. */
  readonly entries: Set<string>;
}

export type ReadCount = readonly [
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
];

/** Returns null for a file that keeps nothing private. `isAll`: the file as a whole is private. */
export function findHiding(file: SessionFile, isAll: boolean): Hiding | null {
  const { timeMs } = file.header;
  const told = nothingTold(isAll);
  if (isAll) told.spans.push({ from: timeMs, to: Number.POSITIVE_INFINITY });
  for (const read of linesWithPrivacy(file.path)) {
    if (!isAll) extend(told.spans, read);
    const isLater = !isAll && read.taken !== 'private';
    if (told.spans.length > 0) noteResult(told, file, read.line, isLater);
    if (isLater) continue;
    // What a private subagent has copied may be public where it comes from.
    if (!isAll || (parseTime(read.line.timestamp) ?? 0) >= timeMs)
      told.entries.add(entryIn(read.line));
  }
  return told.spans.length > 0 ? told : null;
}

/** What a fork tells of a private session that is gone: the entries that it has copied. */
export function hidingOfCopies(file: SessionFile, copies: readonly Json[]): Hiding {
  const told = nothingTold(false);
  for (const line of copies) {
    noteResult(told, file, line, false);
    told.entries.add(entryIn(line));
  }
  const times = copies.flatMap(({ timestamp }) => parseTime(timestamp) ?? []);
  told.spans.push({ from: Math.min(...times), to: Math.max(...times) });
  return told;
}

function nothingTold(isAll: boolean): Hiding {
  return {
    isAll,
    spans: [],
    ids: new Set(),
    tails: new Set(),
    laterIds: new Set(),
    laterTails: new Set(),
    answers: new Set(),
    sums: [],
    runs: [],
    entries: new Set(),
  };
}

function entryIn(line: Json): string {
  const id = isUnnamed(line) ? nameEntry(line) : asText(line.id);
  return nameOfEntry(id ?? '', parseTime(line.timestamp) ?? 0);
}

export function nameOfEntry(entryId: string, timeMs: number): string {
  return `${entryId} ${timeMs}`;
}

export function isDuring({ spans }: Hiding, timeMs: number): boolean {
  return spans.some(({ from, to }) => from <= timeMs && timeMs <= to);
}

export function readCount(usage: unknown): ReadCount {
  const { input, output, cacheRead, cacheWrite } = usageFigures(jsonObject(usage) ?? {}).tokens;
  return [input, output, cacheRead, cacheWrite];
}

/**
 * From the entry that pauses to the one that resumes, or to the last result that belongs to it. One
 * that says again that it is resumed, after a move to an older branch, moves no end.
 */
function extend(spans: Hiding['spans'], { line, taken, isPaused }: ReadLine): void {
  const at = parseTime(line.timestamp);
  const last = spans.at(-1);
  if (at === null) return;
  const isOpen = last?.to === Number.POSITIVE_INFINITY;
  if (isPaused && !isOpen) spans.push({ from: at, to: Number.POSITIVE_INFINITY });
  if (isPaused || taken === 'open' || last === undefined) return;
  if (taken === 'resumed' && !isOpen) spans.push({ from: at, to: at });
  else last.to = at;
}

function noteResult(told: Hiding, { header }: SessionFile, line: Json, isLater: boolean): void {
  const message = readMessage(line);
  if (message?.role !== 'toolResult') return;
  const names = namesIn(message.details);
  noteNames(names, isLater ? [told.laterIds, told.laterTails] : [told.ids, told.tails]);
  noteRuns(told, message);
  const above = {
    provider: null,
    model: null,
    turnEntryId: null,
    turnAtMs: null,
    turnProvider: null,
  };
  const context = { sessionId: header.sessionId, entryId: '', timeMs: 0, above };
  const usage = jsonObject(message.usage);
  const claims = usage === null ? readClaims(context, message).map(({ unit }) => unit) : [];
  for (const { claimKey, tokens } of claims) {
    if (claimKey?.startsWith('response:')) told.answers.add(claimKey);
    else if (names.length === 0 && claimKey?.startsWith('turn:'))
      told.sums.push([tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWrite]);
  }
  if (names.length === 0 && usage !== null) told.sums.push(readCount(usage));
}

function noteRuns({ runs }: Hiding, { details, usage }: Json): void {
  const whole = jsonObject(details);
  if (whole === null) return;
  const named = [whole, ...jsonObjects(whole.results)].flatMap((each) => {
    const { tail } = nameOfFile(each.sessionFile);
    return tail === null ? [] : [{ tail, usage: each.usage }];
  });
  for (const { tail, usage: own } of named)
    runs.push({ tail, count: readCount(own ?? (named.length === 1 ? usage : null)) });
}

function noteNames(
  names: readonly Named[],
  [ids, tails]: readonly [ids: Set<string>, tails: Set<string>],
): void {
  for (const { id, tail } of names) {
    if (id !== null) ids.add(id);
    if (tail !== null) tails.add(tail);
  }
}

interface Named {
  readonly id: string | null;
  readonly tail: string | null;
}

/** Finds the names of a result and of each subagent in it. */
function namesIn(details: unknown): readonly Named[] {
  const whole = jsonObject(details);
  if (whole === null) return [];
  return [whole, ...jsonObjects(whole.results)]
    .flatMap((each) => [
      { id: asText(each.sessionId) ?? asText(jsonObject(each.session)?.id), tail: null },
      nameOfFile(each.sessionFile),
    ])
    .filter(({ id, tail }) => id !== null || tail !== null);
}

function nameOfFile(path: unknown): Named {
  if (typeof path !== 'string' || !/\.jsonl$/i.test(path)) return { id: null, tail: null };
  const id = sessionIdInTimedName(path);
  return { id, tail: id === null ? readTail(path) : null };
}
