/**
 * One pass over the session files: find them, see which have changed, read those, hand their events
 * over, note how far that went.
 *
 * Guarantees: a file counts as read only when all its events were taken in; a pass that is cut
 * short, or done twice, changes nothing but the time it takes. It stops at no file: what is wrong
 * with one is an issue.
 */
import type { Ack, LedgerEvent, Rejection } from '@pi-ledger/contract';
import { sessionIdOfFile } from '@pi-ledger/extension/record/session';
import { latestTimeAt } from './ahead.ts';
import { accountGoneChildren } from './gone-children.ts';
import { createIssues, type Issue, type Issues } from './issues.ts';
import { issuesOf, type LateChild, type Progress } from './progress/progress.ts';
import { forgetIfPutBack } from './progress/witnesses.ts';
import { type FileOutcome, type ReadFilesOptions, readFiles } from './read-files.ts';
import type { ReaderSettings } from './reader-setup.ts';
import type { EventBatch } from './threads/batches.ts';
import type { ReadJob } from './threads/read-job.ts';
import { createRunner, type Runner, type Work } from './threads/runner.ts';
import { type FoundFile, findFiles, type Root } from './walk.ts';

export interface ScanOptions {
  readonly roots: readonly Root[];
  readonly progress: Progress;
  /**
   * Contract: resolves when all that is not rejected is durable; rejects when the store failed,
   * which ends the pass.
   */
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /**
   * All events of the log, in order: for subagents whose files are gone when their parents become
   * known. Throws `LogClosedError` to whom they are not told.
   */
  readLog(): AsyncIterable<LedgerEvent>;
  readonly homeDirectory: string;
  /** Texts of summaries are taken in too, without secrets. */
  readonly auditContent: boolean;
  /** Of pi-ledger. */
  readonly version: string;
  readonly now: () => number;
  /**
   * Files that changed so recently are left for the next pass: somebody writes them, and the live
   * extension records them.
   */
  readonly quietMs: number;
  /** Nobody waits for it: what else this machine does comes first. */
  readonly isBackground?: boolean;
  /**
   * Nobody can have put the store back since the pass before: the same process has had it since.
   */
  readonly isSameLog?: boolean;
  readonly signal?: AbortSignal;
  onProgress?(standing: ScanCounts): void;
  /** For tests. */
  readonly createRunner?: (settings: ReaderSettings, work: Work) => Runner;
}

export interface ScanCounts {
  readonly files: number;
  readonly filesToRead: number;
  readonly bytes: number;
  readonly bytesToRead: number;
  readonly events: number;
}

export interface ScanResult {
  /**
   * The store has lost what it had acknowledged, as one that was restored from a backup: every file
   * counted as new.
   */
  readonly wasPutBack: boolean;
  readonly files: {
    readonly found: number;
    readonly unchanged: number;
    readonly read: number;
    /** Changed just now. */
    readonly leftAlone: number;
    /** Of which nothing could be made. */
    readonly failed: number;
  };
  readonly bytes: number;
  readonly events: {
    readonly new: number;
    readonly known: number;
    /** From before the day up to which history was deleted: left out. */
    readonly expired: number;
    readonly rejected: number;
  };
  /** The first of them; all are counted. */
  readonly issues: readonly Issue[];
  readonly issueCount: number;
  /** Of all issues, those that may hold spend which is in no total. */
  readonly lostCount: number;
}

export async function runScan(options: ScanOptions): Promise<ScanResult> {
  const { progress, onProgress } = options;
  const issues = createIssues();
  const { witnesses } = progress;
  const wasPutBack =
    witnesses !== null &&
    options.isSameLog !== true &&
    (await forgetIfPutBack(witnesses, options.accept));
  const found = await findFiles(options.roots, issues);
  const known = progress.files();
  const nowMs = options.now();
  const isDue = ({ path, stamp }: FoundFile) =>
    known.get(path)?.stamp !== stamp || isDueAgain(known.get(path), nowMs);
  const changed = found.filter(isDue);
  const failedBefore = noteKnown(
    found.filter((file) => !isDue(file)),
    known,
    issues,
  );
  const quietSinceMs = nowMs - options.quietMs;
  const due = changed.filter(({ changedMs }) => options.quietMs === 0 || changedMs <= quietSinceMs);
  const totals = {
    filesToRead: due.length,
    bytesToRead: sumOf(due),
    files: 0,
    bytes: 0,
    failed: 0,
    new: 0,
    known: 0,
    expired: 0,
    rejected: 0,
  };

  async function take({ texts, bytes }: EventBatch, path: string): Promise<void> {
    if (texts.length > 0) {
      const ack = await options.accept(texts.map(parse), texts);
      totals.new += ack.accepted;
      totals.known += ack.duplicates;
      totals.expired += ack.expired;
      totals.rejected += ack.rejected.length;
      if (ack.rejected.length + ack.expired === 0) witnesses?.keep(nowMs, texts);
      for (const rejection of ack.rejected) issues.add(refused(rejection, path));
    }
    totals.bytes += bytes;
    onProgress?.({ ...totals, events: totals.new + totals.known + totals.expired });
  }

  function note(file: FileOutcome): void {
    issues.addAll(file.issues);
    totals.files += 1;
    if (file.isFailed) totals.failed += 1;
  }

  if (due.length > 0) onProgress?.({ ...totals, events: 0 });
  await readChanged(options, found, due, { take, note, issues });
  return {
    wasPutBack,
    files: {
      found: found.length,
      unchanged: found.length - changed.length - failedBefore,
      read: totals.files - totals.failed,
      leftAlone: changed.length - due.length,
      failed: totals.failed + failedBefore,
    },
    bytes: totals.bytes,
    events: {
      new: totals.new,
      known: totals.known,
      expired: totals.expired,
      rejected: totals.rejected,
    },
    issues: issues.list,
    issueCount: issues.count,
    lostCount: issues.lostCount,
  };
}

/**
 * What has changed; then, from their start or from the log, subagents whose parents became known by
 * that, or by a pass that was cut short.
 */
async function readChanged(
  options: ScanOptions,
  found: readonly FoundFile[],
  due: readonly FoundFile[],
  { take, note, issues }: Pick<ReadFilesOptions, 'take' | 'note'> & { readonly issues: Issues },
): Promise<void> {
  const { progress, signal } = options;
  const byPath = new Map(found.map((file) => [file.path, file]));
  const lateJobs = () =>
    progress.lateChildren().flatMap((child) => lateJob(byPath.get(child.path), child, progress));
  const gone = () => progress.lateChildren().filter(({ path }) => !byPath.has(path));
  if (due.length === 0 && lateJobs().length === 0 && gone().length === 0) return;

  const { homeDirectory, auditContent, version, isBackground = false } = options;
  const nowMs = options.now();
  const settings = {
    homeDirectory,
    auditContent,
    version,
    latestTime: latestTimeAt(nowMs),
    files: filesById(found),
  };
  const runner = (options.createRunner ?? createRunner)(settings, {
    files: due.length,
    bytes: sumOf(due),
    isBackground,
  });
  const stop = () => void runner.close();
  signal?.addEventListener('abort', stop);
  try {
    await readFiles(jobsOf(due, progress, nowMs), { runner, progress, take, note, signal });
    await readFiles(lateJobs(), { runner, progress, take, note: () => undefined, signal });
    await accountGoneChildren(gone(), {
      progress,
      readLog: options.readLog,
      take: (batch) => take(batch, ''),
      issues,
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await runner.close();
  }
}

/**
 * Of files that have not changed: what was wrong with them still is. Answers of how many nothing
 * could be made.
 */
function noteKnown(
  unchanged: readonly FoundFile[],
  known: ReturnType<Progress['files']>,
  issues: Issues,
): number {
  let failed = 0;
  for (const { path } of unchanged) {
    const file = known.get(path);
    if (file === undefined) continue;
    if (file.isFailed) failed += 1;
    issues.addAll(issuesOf(file.issues));
  }
  return failed;
}

/** It is kept with the dead letters. */
function refused({ code, field, message }: Rejection, file: string): Issue {
  const where = field === '' ? code : `${code} at ${field}`;
  return {
    code: 'events_refused',
    file,
    line: null,
    message: `an event was refused (${where}: ${message})`,
    mayHoldSpend: true,
  };
}

/** The time has come for an entry that was too far ahead. */
function isDueAgain(
  known: { readonly againAtMs: number | null } | null | undefined,
  nowMs: number,
): boolean {
  return known?.againAtMs != null && known.againAtMs <= nowMs;
}

/** Bookmarks are looked up as they are needed: there can be many. */
function* jobsOf(
  files: readonly FoundFile[],
  progress: Progress,
  nowMs: number,
): Generator<ReadJob> {
  for (const { path, importer } of files) {
    const known = progress.of(path);
    const { bookmark = null, claimedBy = null, alsoClaimedBy = [] } = known ?? {};
    const from = isDueAgain(known, nowMs) ? null : bookmark;
    yield { path, importer: importer.name, from, claimedBy, alsoClaimedBy };
  }
}

function lateJob(
  file: FoundFile | undefined,
  { claimedBy, ...child }: LateChild,
  progress: Progress,
): ReadJob[] {
  if (file === undefined) return [];
  const parent = claimedBy ?? progress.of(file.path)?.claimedBy ?? null;
  return [
    { ...child, path: file.path, importer: file.importer.name, from: null, claimedBy: parent },
  ];
}

/** The first of a name is taken: copies of a file hold the same header. */
function filesById(found: readonly FoundFile[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { path } of found) {
    const id = sessionIdOfFile(path);
    if (id !== null && !files.has(id)) files.set(id, path);
  }
  return files;
}

function sumOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
