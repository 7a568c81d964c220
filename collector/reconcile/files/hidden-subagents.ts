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
  readonly isAsked: boolean;
  readonly spans: { from: number; to: number }[];
  readonly ids: Map<string, Naming>;
  /** Ends of paths of files whose names do not tell the session. */
  readonly tails: Map<string, Naming>;
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

/** How results of a stretch name a session or a file. */
interface Naming {
  /** When the first of these stretches began: what is older is no subagent of it. */
  readonly from: number;
  /** Whether one of them says what it spent, too: then it was asked, however old it is. */
  readonly isPaid: boolean;
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
    // What a private subagent has copied may be public where it comes from.
    if (isAll && (parseTime(read.line.timestamp) ?? 0) < timeMs) continue;
    if (!isAll) extend(told.spans, read);
    const isLater = !isAll && read.taken !== 'private';
    if (told.spans.length > 0) noteResult(told, file, read.line, isLater);
    if (!isLater) told.entries.add(entryIn(read.line));
  }
  return told.spans.length > 0 ? told : null;
}

/** What a fork tells of a private session that is gone: the entries that it has copied. */
export function hidingOfCopies(file: SessionFile, copies: readonly Json[]): Hiding {
  const told = nothingTold(false);
  const times = copies.flatMap(({ timestamp }) => parseTime(timestamp) ?? []);
  told.spans.push({ from: Math.min(...times), to: Math.max(...times) });
  noteEntries(told, file, copies);
  return told;
}

/** What a session did in stretches of another one, which had asked it, although it is older. */
export function hidingOfAsked(file: SessionFile, spans: Hiding['spans']): Hiding | null {
  const told = { ...nothingTold(false), isAsked: true };
  told.spans.push(...spans.map((span) => ({ ...span })));
  const asked = [...linesWithPrivacy(file.path)]
    .map(({ line }) => line)
    .filter(({ timestamp }) => isDuring(told, parseTime(timestamp) ?? 0));
  noteEntries(told, file, asked);
  return told.entries.size > 0 ? told : null;
}

function noteEntries(told: Hiding, file: SessionFile, lines: readonly Json[]): void {
  for (const line of lines) {
    noteResult(told, file, line, false);
    told.entries.add(entryIn(line));
  }
}

function nothingTold(isAll: boolean): Hiding {
  return {
    isAll,
    isAsked: false,
    spans: [],
    ids: new Map(),
    tails: new Map(),
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
  const isPaid = claims.length > 0 || readCount(usage).some((count) => count > 0);
  noteNames(told, names, isLater ? null : isPaid);
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

/** `isPaid` is null for a result after the stretch. */
function noteNames(told: Hiding, names: readonly Named[], isPaid: boolean | null): void {
  const from = told.spans.at(-1)?.from ?? 0;
  for (const { id, tail } of names)
    if (isPaid === null) {
      if (id !== null) told.laterIds.add(id);
      if (tail !== null) told.laterTails.add(tail);
    } else {
      noteNaming(told.ids, id, { from, isPaid });
      noteNaming(told.tails, tail, { from, isPaid });
    }
}

function noteNaming(known: Map<string, Naming>, name: string | null, naming: Naming): void {
  if (name === null) return;
  const before = known.get(name);
  const isPaid = naming.isPaid || before?.isPaid === true;
  known.set(name, { from: before?.from ?? naming.from, isPaid });
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
