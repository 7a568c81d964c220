/**
 * Takes back what earlier imports recorded of sessions that turn out to be private: a subagent's
 * file was imported before the file that says that its parent was paused.
 */
import type { Withdrawn } from '@pi-ledger/contract/answers';
import { type Header, parseTimeMs } from '@pi-ledger/core/record/entry';
import type { Issue, Issues } from '../../issues.ts';
import type { SavedPrivateParents } from '../../progress/private-parents.ts';
import { createFileHeaders } from '../file-header.ts';
import { entriesInFile } from './entries-in-file.ts';
import type { PrivateStretches } from './private-stretches.ts';

export type KnownHeader = Pick<Header, 'id' | 'timeMs' | 'parentSession'>;

export interface KnownHeaders {
  of(path: string): KnownHeader | null;
}

/** Headers of the files that an import recorded something of, by path. */
export type RecordedFiles = ReadonlyMap<string, KnownHeader>;

/** Headers of files that are gone are those that were read. */
export function headersAlsoOf(recorded: RecordedFiles): KnownHeaders {
  const headers = createFileHeaders();
  return { of: (path) => headers.of(path) ?? recorded.get(path) ?? null };
}

/** Whether parents tell more of subagents than before. */
export function tellsMore(before: SavedPrivateParents, after: SavedPrivateParents): boolean {
  const told = (parent: PrivateStretches) => JSON.stringify({ ...parent, entries: [] });
  return [...after].some(([path, parent]) => {
    const known = before.get(path);
    return known === undefined || told(known) !== told(parent);
  });
}

/** What the session's files tell of its time. */
export interface SessionPeriod {
  readonly fromMs: number;
  /** It is null where the file is gone. */
  readonly toMs: number | null;
}

/**
 * Takes back all that the log has of a session, unless it has anything of another time: then it is
 * of another session of this id, or of one that the session copied. Resolves to null when nothing
 * of it is left, or else to why it was not possible.
 */
export type WithdrawSession = (
  sessionId: string,
  reason: string,
  period: SessionPeriod,
) => Promise<Refusal | null>;

export interface Refusal {
  readonly why: string;
  /** A part of it may not be private: only a person can tell, and is told once. */
  readonly isDoubt: boolean;
}

/** A live session ends after its last entry. */
const toleranceMs = 5 * 60_000;

/** Refuses to take back a session whose events are of other times; null: it may be. */
export function refuseOthers(
  { firstAt, lastAt }: Pick<Withdrawn, 'firstAt' | 'lastAt'>,
  { fromMs, toMs }: SessionPeriod,
): Refusal | null {
  const isEarlier = firstAt !== null && Date.parse(firstAt) < fromMs;
  const isLater = toMs !== null && lastAt !== null && Date.parse(lastAt) > toMs + toleranceMs;
  return isEarlier || isLater ? doubt('the ledger has more of that id.') : null;
}

const byHand =
  '`pi-ledger reconcile` names the records; take back what is private: ' +
  '`pi-ledger withdraw event ID`';

function doubt(what: string): Refusal {
  return { why: `${what} ${byHand}`, isDoubt: true };
}

const reason = 'private: a subagent of a paused session, imported before that session’s file';
const whatHappened =
  'private, as a subagent of a paused session, but imported before that session’s file was known';

interface Known {
  readonly recorded: RecordedFiles;
  /** Paths of files that are private for certain. */
  readonly proven: ReadonlySet<string>;
  /** A person was told of these that nothing is certain. */
  readonly told: ReadonlySet<string>;
}

interface TakenBack {
  /** Paths whose sessions are in the log no more. */
  readonly gone: ReadonlySet<string>;
  /** Paths whose sessions may be private only in part. */
  readonly doubtful: ReadonlySet<string>;
}

export async function takeBack(
  paths: readonly string[],
  { recorded, proven, told }: Known,
  withdraw: WithdrawSession,
  issues: Issues,
): Promise<TakenBack> {
  const bySession = Map.groupBy(paths, (path) => recorded.get(path)?.id ?? '');
  const [gone, doubtful] = [new Set<string>(), new Set<string>()];
  const isCertain = (sessionId: string) =>
    [...recorded].every(([path, { id }]) => id !== sessionId || proven.has(path));
  for (const [sessionId, files] of bySession) {
    const refusal = isCertain(sessionId)
      ? await withdraw(sessionId, reason, periodOf(files, recorded))
      : doubt('that is not certain.');
    const isDoubt = refusal?.isDoubt === true;
    const isTold = isDoubt && files.every((path) => told.has(path));
    if (!isTold) issues.add(describe(files[0] ?? '', sessionId, refusal?.why ?? null));
    if (isDoubt) addAll(doubtful, files);
    else if (refusal === null) addAll(gone, files);
  }
  return { gone, doubtful };
}

function periodOf(files: readonly string[], recorded: RecordedFiles): SessionPeriod {
  const ends = files.map(lastEntryAtMs);
  return {
    fromMs: Math.min(...files.flatMap((path) => recorded.get(path)?.timeMs ?? [])),
    toMs: ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0)),
  };
}

function lastEntryAtMs(path: string): number | null {
  let last: number | null = null;
  for (const { entry } of entriesInFile(path))
    last = Math.max(last ?? 0, parseTimeMs(entry.timestamp) ?? 0);
  return last;
}

function addAll(set: Set<string>, paths: readonly string[]): void {
  for (const path of paths) set.add(path);
}

/** A session that was asked in a stretch, and was recorded before anybody knew of that. */
export function describeAsked(file: string): Issue {
  const message =
    'asked while another session was paused, but imported before that was known: what it did ' +
    `then is in the totals. ${byHand}`;
  return { code: 'private_before', file, line: null, message, mayHoldSpend: false };
}

/** Whatever is left is in the totals, so no spend is missing. */
function describe(file: string, sessionId: string, refusal: string | null): Issue {
  const message =
    refusal === null
      ? `${whatHappened}: session ${sessionId} is taken back, and in no total any more`
      : `${whatHappened}, and still in the totals: ${refusal}`;
  return { code: 'private_before', file, line: null, message, mayHoldSpend: false };
}
