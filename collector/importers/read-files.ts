/**
 * Reads session files, as many at a time as the runner does, and notes each one's progress.
 *
 * Guarantees: a file is noted only when all its events were taken in. What is wrong with one file
 * is its issue; a store that cannot be written ends it all, and what was taken in before stays
 * noted.
 */
import { statSync } from 'node:fs';
import { createIssues, type IssueList, lostIn, noIssues } from './issues.ts';
import { fileStampOf } from './progress/file-stamp.ts';
import type { FileProgress, Progress } from './progress/progress.ts';
import { failedRead } from './session/session-reader.ts';
import type { EventBatch } from './threads/batches.ts';
import type { FileClaim, ReadJob, ReadResult } from './threads/read-job.ts';
import { type Runner, stopped } from './threads/runner.ts';

export interface ReadFilesOptions {
  readonly runner: Runner;
  readonly progress: Progress;
  /** `path`: of the file that it is from. */
  take(batch: EventBatch, path: string): Promise<void>;
  note(file: FileOutcome): void;
  readonly signal: AbortSignal | undefined;
}

export type FileOutcome = Omit<FileProgress, 'stamp'>;

/** Files whose progress is saved together. */
const saveFilesMax = 64;

/**
 * As many at a time as the runner reads. When one lane fails, the others end behind the file that
 * they are reading. Rejects when it is told to stop, however far it came.
 */
export async function readFiles(jobs: Iterable<ReadJob>, means: ReadFilesOptions): Promise<void> {
  const { runner, progress, note, signal } = means;
  const waiting = jobs[Symbol.iterator]();
  const store = createTaking(means.take);
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
      const result = await readOne(job, means, store);
      const file = outcomeOf(job, result, progress);
      note(file);
      for (const claim of result.claims) claims.push(claim);
      if (result.stamp !== null) done.push({ ...file, stamp: result.stamp });
      if (done.length >= saveFilesMax) save();
    }
  };
  const lanes = Array.from({ length: runner.width }, () =>
    lane().finally(() => {
      isOver = true; // the jobs are all given out, or something failed
    }),
  );
  try {
    await Promise.all(lanes);
  } finally {
    // What was taken in before a failure stays noted.
    await Promise.allSettled(lanes);
    save();
  }
  // Files that were read ahead may all have been taken in by then: it is not all that there was to
  // read.
  if (signal?.aborted) throw stopped();
}

/**
 * What was tried in vain is not tried again: other files, read ahead, end with the same failure.
 */
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
 * A file that cannot be read, for whatever reason, is an issue; a store that cannot be written ends
 * the pass.
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
    const message = `the file cannot be read (${error instanceof Error ? error.message : String(error)})`;
    return failedRead(
      { code: 'file_unreadable', file: job.path, line: null, message, mayHoldSpend: true },
      stampAt(job.path),
    );
  }
}

/** Null when it is gone or cannot be looked at. */
function stampAt(path: string): string | null {
  try {
    return fileStampOf(statSync(path, { bigint: true }));
  } catch {
    return null; // the next pass sees for itself
  }
}

function outcomeOf(job: ReadJob, result: ReadResult, progress: Progress): FileOutcome {
  const issues = createIssues();
  const before = result.wentOn && job.from !== null ? progress.of(job.path) : null;
  issues.addAll(issuesUpTo(job.from?.lines ?? 0, before?.issues ?? noIssues));
  issues.addAll(result.issues);
  const { list, count, lostCount } = issues;
  const { bookmark, isFailed } = result;
  const { path, claimedBy, alsoClaimedBy = [] } = job;
  const againAtMs = earlier(before?.againAtMs ?? null, result.againAtMs);
  return {
    path,
    bookmark,
    isFailed,
    claimedBy,
    alsoClaimedBy,
    issues: { list, count, lostCount },
    againAtMs,
  };
}

/** Lines before the bookmark were not read again; an unfinished one behind it was. */
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
