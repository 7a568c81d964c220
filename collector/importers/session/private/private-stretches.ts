/**
 * What a session file says of its private stretches: when they were, and which subagents their
 * tools started. A subagent's file that is private as a whole is one stretch without an end.
 */

import { type Entry, type Header, parseTimeMs } from '@pi-ledger/core/record/entry';
import { type Privacy, privacyAt, readMark } from '@pi-ledger/core/record/privacy';
import { entriesInFile, type HeadedEntry } from './entries-in-file.ts';
import { type Clock, createClock, createNames, type NamedIn } from './stretch-notes.ts';
import { type NamedRun, toldBy } from './told-by-results.ts';

export interface PrivateStretches {
  readonly sessionId: string;
  /** By its file's header: a stretch from before was copied from the session that it forks. */
  readonly beganAtMs: number;
  readonly parentSession: string | null;
  readonly isWhole: boolean;
  /** It is private for all that is known, but not for certain (`strictly.ts`). */
  readonly isUnsure?: boolean;
  /** Asked in stretches of another session, which are its own ones then. */
  readonly isAsked?: boolean;
  readonly stretches: readonly Stretch[];
  /** When its last entry was made: of what began later, the file does not know. */
  readonly lastAtMs: number;
  /** When the last entry was made that it has copied, if any. */
  readonly copiedUntilMs: number;
  /** Its clock was set back, so times do not say what happened in a stretch. */
  readonly isDisordered: boolean;
  /** How results of tools call their subagents: `session:<id>`, `file:<end of its path>`. */
  readonly refs: readonly NamedIn[];
  /** The same in results after a stretch, which may be about what began in it. */
  readonly laterRefs: readonly string[];
  /** Keys of answers that results of tools repeat, then and later. */
  readonly answers: readonly string[];
  /** Tokens that results of tools say of others, as `tokensText`. */
  readonly usages: readonly string[];
  /** What results say of one subagent and its file, whose name tells no session. */
  readonly namedRuns: readonly NamedRun[];
  /** Names of the private entries, which stay private in every copy. */
  readonly entries: readonly string[];
}

/** Copies keep both. */
export function entryName({ key, timestamp }: Entry): string {
  return `${key} ${timestamp}`;
}

/** By the file's path. */
export type PrivateParents = Map<string, PrivateStretches>;

export interface Stretch {
  readonly fromMs: number;
  /** It is null while the stretch goes on. */
  readonly toMs: number | null;
}

/**
 * Returns null for a file without any. `isWhole`: all of it is private, but for copies of others.
 */
export function privateStretchesIn(path: string, isWhole: boolean): PrivateStretches | null {
  const clock = createClock();
  const stretches: Stretch[] = [];
  const read = isWhole ? ownEntries(path, stretches) : privateIn(path, stretches, clock);
  return toldIn(read, isWhole, stretches, clock);
}

/** A private session whose file is gone tells nothing of its subagents. */
export function wholeStretch({ id, timeMs, parentSession }: Begun): PrivateStretches {
  return {
    sessionId: id,
    beganAtMs: timeMs,
    parentSession,
    isWhole: true,
    stretches: [{ fromMs: timeMs, toMs: null }],
    lastAtMs: timeMs,
    copiedUntilMs: 0,
    isDisordered: false,
    refs: [],
    laterRefs: [],
    answers: [],
    usages: [],
    namedRuns: [],
    entries: [],
  };
}

/** Reads what a fork has copied of a session whose file is gone. */
export function copiedStretchesIn(
  path: string,
  sessionId: string | null,
  isCopied: (headed: HeadedEntry) => boolean,
): PrivateStretches | null {
  const stretches: Stretch[] = [];
  const told = toldIn(copiesIn(path, stretches, isCopied), false, stretches, createClock());
  return told === null ? null : { ...told, sessionId: sessionId ?? told.sessionId };
}

/** A session with private stretches of its own. */
export function joinStretches(
  own: PrivateStretches | undefined,
  more: PrivateStretches,
): PrivateStretches {
  if (own === undefined) return more;
  return {
    ...own,
    isAsked: own.isAsked === true || more.isAsked === true,
    stretches: [...more.stretches, ...own.stretches],
    refs: [...more.refs, ...own.refs],
    laterRefs: [...more.laterRefs, ...own.laterRefs],
    answers: [...more.answers, ...own.answers],
    usages: [...more.usages, ...own.usages],
    namedRuns: [...more.namedRuns, ...own.namedRuns],
    entries: [...new Set([...more.entries, ...own.entries])],
  };
}

type Begun = Pick<Header, 'id' | 'timeMs' | 'parentSession'>;

export interface ReadEntry extends HeadedEntry {
  /** After a private stretch, not in it. */
  readonly isLater?: boolean;
}

export function toldIn(
  read: Iterable<ReadEntry>,
  isWhole: boolean,
  stretches: readonly Stretch[],
  clock: Clock,
): PrivateStretches | null {
  const refs = createNames();
  const [laterRefs, answers, usages, entries] = sets();
  const namedRuns: NamedRun[] = [];
  let begun: Begun | null = null;
  for (const { header, entry, isLater } of read) {
    begun = header;
    clock.take(entry, header.timeMs);
    if (isLater !== true && readMark(entry) === null) entries.add(entryName(entry));
    const told = toldBy({ id: header.id, cwd: null }, entry);
    for (const ref of told.refs)
      if (isLater === true) laterRefs.add(ref);
      else refs.add(ref, stretches.at(-1)?.fromMs ?? 0, told.saysSpend);
    for (const key of told.answers) answers.add(key);
    for (const usage of told.usages) usages.add(usage);
    namedRuns.push(...told.namedRuns);
  }
  if (begun === null) return null;
  return {
    sessionId: begun.id,
    beganAtMs: begun.timeMs,
    parentSession: begun.parentSession,
    isWhole,
    stretches,
    lastAtMs: clock.lastAtMs,
    copiedUntilMs: clock.copiedUntilMs,
    isDisordered: clock.isDisordered,
    refs: refs.list(),
    laterRefs: [...laterRefs],
    answers: [...answers],
    usages: [...usages],
    namedRuns,
    entries: [...entries],
  };
}

function sets(): readonly [Names, Names, Names, Names] {
  return [new Set(), new Set(), new Set(), new Set()];
}

type Names = Set<string>;

export function isOlder({ timestamp }: Entry, { timeMs }: Pick<Header, 'timeMs'>): boolean {
  return (parseTimeMs(timestamp) ?? 0) < timeMs;
}

/** What it has copied may be public where it comes from. */
function* ownEntries(path: string, stretches: Stretch[]): Generator<HeadedEntry> {
  for (const headed of entriesInFile(path)) {
    const { header, entry } = headed;
    if (stretches.length === 0) stretches.push({ fromMs: header.timeMs, toMs: null });
    if (!isOlder(entry, header)) yield headed;
  }
}

function* copiesIn(
  path: string,
  stretches: Stretch[],
  isCopied: (headed: HeadedEntry) => boolean,
): Generator<HeadedEntry> {
  for (const headed of entriesInFile(path)) {
    if (!isCopied(headed)) continue;
    const timeMs = parseTimeMs(headed.entry.timestamp) ?? 0;
    stretches[0] = { fromMs: stretches[0]?.fromMs ?? timeMs, toMs: timeMs };
    yield headed;
  }
}

/** Also our own entries, which tell nothing more, and what follows. */
function* privateIn(path: string, stretches: Stretch[], clock: Clock): Generator<ReadEntry> {
  let privacy: Privacy = 'none';
  for (const headed of entriesInFile(path)) {
    clock.take(headed.entry, headed.header.timeMs);
    privacy = privacyAt(privacy, headed.entry);
    noteTime(stretches, privacy, headed.entry);
    if (stretches.length > 0) yield { ...headed, isLater: privacy === 'none' };
  }
}

export function holds({ stretches }: PrivateStretches, timeMs: number): boolean {
  return stretches.some(
    ({ fromMs, toMs }) => timeMs >= fromMs && (toMs === null || timeMs <= toMs),
  );
}

/**
 * Results right after `resumed` belong to the stretch, which called their tools. `resumed` once
 * more, after a move to an older branch, does not move its end.
 */
function noteTime(stretches: Stretch[], privacy: Privacy, entry: Entry): void {
  const timeMs = parseTimeMs(entry.timestamp);
  if (timeMs === null) return;
  const last = stretches.at(-1);
  const isOpen = last?.toMs === null;
  const state = readMark(entry)?.state;
  if (state === 'paused') {
    if (!isOpen) stretches.push({ fromMs: timeMs, toMs: null });
  } else if (last !== undefined && privacy === 'ending') {
    if (state === 'resumed' && !isOpen) stretches.push({ fromMs: timeMs, toMs: timeMs });
    else stretches[stretches.length - 1] = { fromMs: last.fromMs, toMs: timeMs };
  }
}
