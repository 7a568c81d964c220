/** Reads changed session files, then subagents whose parents became known late. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { sessionIdOfFile } from '@pi-ledger/core/record/session';
import type { Late, SealedTotals } from '../log/history.ts';
import { latestTimeAt } from './ahead.ts';
import { accountGoneChildren } from './gone-children.ts';
import type { ImportSource } from './importer.ts';
import type { Issues } from './issues.ts';
import { judgeLateFiles } from './late-files.ts';
import { unreadStamp } from './progress/file-stamp.ts';
import type { LateChild } from './progress/late-children.ts';
import type { ProgressStore } from './progress/progress.ts';
import { type ReadFilesOptions, readFiles } from './read-files.ts';
import type { ReaderSettings } from './reader-setup.ts';
import type { PrivateCopies } from './session/private/private-copies.ts';
import { passOverPrivate } from './session/private/private-files.ts';
import type { WithdrawSession } from './session/private/taken-back.ts';
import { sumBytes } from './sources.ts';
import type { EventBatch, FileOf } from './threads/batches.ts';
import type { ReadJob } from './threads/read-job.ts';
import { createRunner, type ReadWork, type Runner } from './threads/runner.ts';

export interface ReadChangedOptions {
  readonly progress: ProgressStore;
  /**
   * All events of the log, in order: for subagents whose files are gone by the time their parents
   * become known. Throws `LogClosedError` to a caller who may not read the log.
   */
  readLog(): AsyncIterable<LedgerEvent>;
  /** What the views count of deleted history; null: nothing was deleted, or nobody may say. */
  readSealedTotals(): Promise<SealedTotals | null>;
  readonly withdrawSession: WithdrawSession;
  readonly homeDirectory: string;
  /** Also imports the texts of summaries, without secrets. */
  readonly auditContent: boolean;
  /** The version of pi-ledger. */
  readonly version: string;
  readonly now: () => number;
  /** Nobody waits for it: other work of this machine comes first. */
  readonly isBackground?: boolean;
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly createRunner?: (settings: ReaderSettings, work: ReadWork) => Runner;
}

interface Taking {
  take(batch: EventBatch, fileOf: FileOf): Promise<void>;
  note: ReadFilesOptions['note'];
  readonly issues: Issues;
  /** Paths of files that sent events older than the seal. */
  readonly late: ReadonlySet<string>;
}

export interface ChangedFiles {
  readonly found: readonly ImportSource[];
  /** Also those that are still being written. */
  readonly changed: readonly ImportSource[];
  readonly due: readonly ImportSource[];
}

/**
 * Reads the changed files, but for private subagents. Then reads, from their start or from the log,
 * subagents whose parents became known by that or by an interrupted scan.
 */
export async function readChanged(
  options: ReadChangedOptions,
  { found, changed, due }: ChangedFiles,
  { take, note, issues, late }: Taking,
): Promise<Late | null> {
  const { progress, signal } = options;
  const byPath = new Map(found.map((file) => [file.path, file]));
  const lateJobs = () =>
    progress.lateChildren().flatMap((child) => lateJob(byPath.get(child.path), child, progress));
  const gone = () => progress.lateChildren().filter(({ path }) => !byPath.has(path));
  const { homeDirectory, auditContent, version, isBackground = false } = options;
  const isNothingNew = due.length === 0 && lateJobs().length === 0 && gone().length === 0;
  if (isNothingNew && isBackground) return nothingLate;

  const { files: open, copies } = await passOverPrivate({
    progress,
    found,
    changed,
    due,
    take,
    note,
    issues,
    withdrawSession: options.withdrawSession,
    isBackground,
    signal,
  });
  if (isNothingNew) return nothingLate;
  const nowMs = options.now();
  const settings = {
    homeDirectory,
    auditContent,
    version,
    latestTime: latestTimeAt(nowMs),
    files: filesById(found),
  };
  const runner = (options.createRunner ?? createRunner)(settings, {
    files: open.length,
    bytes: sumBytes(open),
    isBackground,
  });
  const stop = () => void runner.close();
  signal?.addEventListener('abort', stop);
  try {
    const takeOf = (batch: EventBatch, path: string) => take(batch, () => path);
    const reading = { runner, progress, take: takeOf, signal };
    await readFiles(planJobs(open, progress, nowMs, copies), { ...reading, note });
    const lateOnes = lateJobs().map((job) => ({ ...job, privateCopies: copies(job.path) }));
    await readFiles(lateOnes, { ...reading, note: () => undefined });
    await accountGoneChildren(gone(), {
      progress,
      readLog: options.readLog,
      take,
      issues,
    });
    if (late.size === 0) return nothingLate;
    const lateFiles = found.filter(({ path }) => late.has(path));
    return await judgeLateFiles({
      jobs: [...planJobs(lateFiles, progress, nowMs, copies)],
      runner,
      progress,
      totals: await options.readSealedTotals(),
      issues,
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await runner.close();
  }
}

const nothingLate: Late = { events: 0, sessions: 0 };

/** Whether the time of an entry that was too far ahead has come. */
export function isDueAgain(
  known: { readonly againAtMs: number | null } | null | undefined,
  nowMs: number,
): boolean {
  return known?.againAtMs != null && known.againAtMs <= nowMs;
}

/** Bookmarks are read as needed, because there can be many. */
function* planJobs(
  files: readonly ImportSource[],
  progress: ProgressStore,
  nowMs: number,
  copies: PrivateCopies,
): Generator<ReadJob> {
  for (const source of files) {
    const { path } = source;
    const known = progress.of(path);
    const { bookmark = null, claimedBy = null, alsoClaimedBy = [], ties = [] } = known ?? {};
    const isUnread = known?.stamp === unreadStamp;
    const from = isUnread || isDueAgain(known, nowMs) ? null : bookmark;
    const told = { claimedBy, alsoClaimedBy, ties, privateCopies: copies(path) };
    yield { ...sourceToRead(source), from, ...told };
  }
}

function lateJob(
  file: ImportSource | undefined,
  { claimedBy, ...child }: LateChild,
  progress: ProgressStore,
): ReadJob[] {
  if (file === undefined) return [];
  const known = progress.of(file.path);
  const parent = claimedBy ?? known?.claimedBy ?? null;
  const ties = [...(known?.ties ?? []), ...(child.ties ?? [])];
  return [
    {
      ...child,
      ties,
      ...sourceToRead(file),
      from: null,
      claimedBy: parent,
    },
  ];
}

function sourceToRead({ path, files, importer }: ImportSource) {
  return { path, ...(files !== undefined && { files }), importer: importer.name };
}

/** The first file of an id is used, because copies of a file have the same header. */
function filesById(found: readonly ImportSource[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { path } of found) {
    const id = sessionIdOfFile(path);
    if (id !== null && !files.has(id)) files.set(id, path);
  }
  return files;
}
