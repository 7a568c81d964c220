/**
 * Reads session files, as many at a time as the runner does, and notes each one's progress.
 *
 * Guarantees: a file is noted only when all its events were taken in. What is wrong with one file is its issue; a store that cannot be
 * written ends it all, and what was taken in before stays noted.
 */
import { statSync } from 'node:fs';
import type { EventBatch } from './batches.ts';
import { createIssues } from './issues.ts';
import { type FileIssues, type FileProgress, noIssues, type Progress } from './progress.ts';
import type { Claim, ReadJob, ReadResult } from './read-job.ts';
import type { Runner } from './runner.ts';
import { failedReading } from './session-reader.ts';
import { stampOf } from './stamp.ts';

export interface ReadingMeans {
  readonly runner: Runner;
  readonly progress: Progress;
  take(batch: EventBatch): Promise<void>;
  note(file: FileReading): void;
  readonly signal: AbortSignal | undefined;
}

export type FileReading = Omit<FileProgress, 'stamp'>;

/** Files whose progress is saved together. */
const saveFilesMax = 64;

/** As many at a time as the runner reads. When one lane fails, the others end behind the file that they are reading. */
export async function readAll(jobs: Iterable<ReadJob>, means: ReadingMeans): Promise<void> {
  const { runner, progress, note, signal } = means;
  const waiting = jobs[Symbol.iterator]();
  let isOver = false;
  let done: FileProgress[] = [];
  let claims: Claim[] = [];
  const save = () => {
    if (done.length > 0) progress.save(done, claims);
    [done, claims] = [[], []];
  };
  const lane = async () => {
    for (let next = waiting.next(); !next.done && !isOver && !signal?.aborted; next = waiting.next()) {
      const job = next.value;
      const result = await readOne(job, means);
      const file = readingOf(job, result, progress);
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
}

/** A file that cannot be read, for whatever reason, is an issue; a store that cannot be written ends the pass. */
async function readOne(job: ReadJob, { runner, take, signal }: ReadingMeans): Promise<ReadResult> {
  let isStoreFailure = false;
  const taking = (batch: EventBatch) =>
    take(batch).catch((error: unknown) => {
      isStoreFailure = true;
      throw error;
    });
  try {
    return await runner.read(job, taking);
  } catch (error) {
    if (isStoreFailure || signal?.aborted === true) throw error;
    const message = `the file cannot be read (${error instanceof Error ? error.message : String(error)})`;
    return failedReading({ code: 'file_unreadable', file: job.path, line: null, message }, stampAt(job.path));
  }
}

/** Null when it is gone or cannot be looked at. */
function stampAt(path: string): string | null {
  try {
    return stampOf(statSync(path, { bigint: true }));
  } catch {
    return null; // the next pass sees for itself
  }
}

function readingOf(job: ReadJob, result: ReadResult, progress: Progress): FileReading {
  const issues = createIssues();
  if (result.wentOn && job.from !== null) issues.addAll(issuesUpTo(job.from.lines, progress.of(job.path)?.issues ?? noIssues));
  issues.addAll({ list: result.issues, count: result.issueCount });
  const { list, count } = issues;
  return { path: job.path, bookmark: result.bookmark, isFailed: result.isFailed, claimedBy: job.claimedBy, issues: { list, count } };
}

/** Lines before the bookmark were not read again; an unfinished one behind it was. */
function issuesUpTo(lines: number, { list, count }: FileIssues): FileIssues {
  const kept = list.filter(({ line }) => line === null || line <= lines);
  return { list: kept, count: count - list.length + kept.length };
}
