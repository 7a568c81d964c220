/**
 * Reads session files, as many at a time as the runner does, and saves their progress.
 *
 * Guarantees: a file's progress is saved only after all its events were accepted. A problem with
 * one file is an issue of that file. A store that cannot be written ends the reading; files
 * accepted before stay saved.
 */

import { errorText } from '@pi-ledger/core/text/error-text';
import { failedRead } from './failed-read.ts';
import { createIssues, type IssueList, lostIn, noIssues } from './issues.ts';
import type { FileProgress } from './progress/file-rows.ts';
import type { ProgressStore } from './progress/progress.ts';
import type { FileClaim } from './proofs.ts';
import { stampSource } from './sources.ts';
import type { EventBatch } from './threads/batches.ts';
import type { ReadJob, ReadResult } from './threads/read-job.ts';
import { type Runner, stopped } from './threads/runner.ts';

export interface ReadFilesOptions {
  readonly runner: Runner;
  readonly progress: ProgressStore;
  /** `path`: the file that the batch is from. */
  take(batch: EventBatch, path: string): Promise<void>;
  note(file: FileOutcome): void;
  readonly signal: AbortSignal | undefined;
}

export type FileOutcome = Omit<FileProgress, 'stamp'>;

/** How many files' progress is saved together. */
const saveFilesMax = 64;

/**
 * Reads as many files at a time as the runner does. When one lane fails, the others stop after
 * their current file. Rejects when stopped, however far it came.
 */
export async function readFiles(jobs: Iterable<ReadJob>, options: ReadFilesOptions): Promise<void> {
  const { runner, progress, note, signal } = options;
  const waiting = jobs[Symbol.iterator]();
  const store = createTaking(options.take);
  let isOver = false;
  let done: FileProgress[] = [];
  let claims: FileClaim[] = [];
  const save = () => {
    if (done.length > 0) progress.save(done, claims);
    [done, claims] = [[], []];
  };
  const lane = async () => {
    for (
      let next = waiting.next();
      !next.done && !isOver && !signal?.aborted;
      next = waiting.next()
    ) {
      const job = next.value;
      const result = await readOne(job, options, store);
      const file = toOutcome(job, result, progress);
      note(file);
      for (const claim of result.claims) claims.push(claim);
      if (result.stamp !== null) done.push({ ...file, stamp: result.stamp });
      if (done.length >= saveFilesMax) save();
    }
  };
  const lanes = Array.from({ length: runner.width }, () =>
    lane().finally(() => {
      isOver = true; // all jobs are given out, or something failed
    }),
  );
  try {
    await Promise.all(lanes);
  } finally {
    // Files accepted before a failure stay saved.
    await Promise.allSettled(lanes);
    save();
  }
  // All files read ahead may have been accepted by then, but that is not everything there was to
  // read.
  if (signal?.aborted) throw stopped();
}

/** Does not retry after a failure: files read ahead fail with the same error. */
function createTaking(take: ReadFilesOptions['take']) {
  let failure: { readonly error: unknown } | null = null;
  return {
    failure: () => failure,
    async take(batch: EventBatch, path: string): Promise<void> {
      if (failure !== null) throw failure.error;
      await take(batch, path).catch((error: unknown) => {
        failure = { error };
        throw error;
      });
    },
  };
}

/**
 * An unreadable file is an issue, whatever the reason; a store that cannot be written ends the
 * scan.
 */
async function readOne(
  job: ReadJob,
  { runner, signal }: ReadFilesOptions,
  store: ReturnType<typeof createTaking>,
): Promise<ReadResult> {
  try {
    return await runner.read(job, (batch) => store.take(batch, job.path));
  } catch (error) {
    if (store.failure() !== null || signal?.aborted === true) throw error;
    const reason = errorText(error);
    const message = `the file cannot be read (${reason})`;
    return failedRead(
      { code: 'file_unreadable', file: job.path, line: null, message, mayHoldSpend: true },
      stampSource(job),
    );
  }
}

function toOutcome(job: ReadJob, result: ReadResult, progress: ProgressStore): FileOutcome {
  const issues = createIssues();
  const before = result.wentOn && job.from !== null ? progress.of(job.path) : null;
  issues.addAll(issuesUpTo(job.from?.lines ?? 0, before?.issues ?? noIssues));
  issues.addAll(result.issues);
  const { list, count, lostCount } = issues;
  const { bookmark, isFailed } = result;
  const { path, claimedBy, alsoClaimedBy = [], ties = [] } = job;
  const againAtMs = earlier(before?.againAtMs ?? null, result.againAtMs);
  return {
    path,
    bookmark,
    isFailed,
    claimedBy,
    alsoClaimedBy,
    ties,
    issues: { list, count, lostCount },
    againAtMs,
  };
}

/** Keeps issues of lines before the bookmark, which were not read again. */
function issuesUpTo(lines: number, { list, count, lostCount }: IssueList): IssueList {
  const kept = list.filter(({ line }) => line === null || line <= lines);
  return {
    list: kept,
    count: count - list.length + kept.length,
    lostCount: lostCount - lostIn(list) + lostIn(kept),
  };
}

function earlier(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
