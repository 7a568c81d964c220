/**
 * Files with events older than the seal: which of these are in no total, as an issue of the file
 * that every import repeats and reports show beside their totals.
 *
 * A file may have been read in part before, and its events may have been recorded live, so it is
 * read again from its start; nothing is sent.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { type Late, type SealedTotals, sumLate } from '../log/history.ts';
import { createIssues, type Issue, type Issues } from './issues.ts';
import type { FileProgress } from './progress/file-rows.ts';
import type { ProgressStore } from './progress/progress.ts';
import type { ReadJob } from './threads/read-job.ts';
import type { Runner } from './threads/runner.ts';

export interface LateFilesOptions {
  readonly jobs: readonly ReadJob[];
  readonly runner: Pick<Runner, 'read'>;
  readonly progress: ProgressStore;
  /** They are null when nobody may say what the totals have. */
  readonly totals: SealedTotals | null;
  readonly issues: Issues;
}

type LateBySession = ReadonlyMap<string, number>;

/** Resolves to null when `totals` is null. Rejects when the store fails. */
export async function judgeLateFiles({
  jobs,
  runner,
  progress,
  totals,
  issues,
}: LateFilesOptions): Promise<Late | null> {
  const bySession = new Map<string, number>();
  for (const job of jobs) {
    const late = totals === null ? null : await lateIn(job, runner, totals);
    if (late?.size === 0) continue;
    const issue = describeLate(job.path, late, totals);
    issues.add(issue);
    const file = progress.of(job.path);
    if (file !== null) progress.save([withIssue(file, issue)], []);
    // Forks and copies of a file have the same events.
    for (const [sessionId, events] of late ?? [])
      bySession.set(sessionId, Math.max(events, bySession.get(sessionId) ?? 0));
  }
  return totals === null ? null : sumLate(bySession);
}

async function lateIn(
  job: ReadJob,
  runner: Pick<Runner, 'read'>,
  totals: SealedTotals,
): Promise<LateBySession> {
  const events = totals.collect();
  await runner.read({ ...job, from: null }, async ({ texts }) => {
    for (const text of texts) events.add(JSON.parse(text) as LedgerEvent);
  });
  return events.inNoTotal();
}

const code = 'older_than_seal';

function describeLate(
  file: string,
  late: LateBySession | null,
  totals: SealedTotals | null,
): Issue {
  return { code, file, line: null, message: lateMessage(late, totals), mayHoldSpend: true };
}

function lateMessage(late: LateBySession | null, totals: SealedTotals | null): string {
  if (late === null || totals === null)
    return (
      'events are older than the seal, and only a token that may read says whether ' +
      'the totals have them'
    );
  const day = new Date(totals.floorMs).toISOString().slice(0, 10);
  const { events } = sumLate(late);
  const are = events === 1 ? '1 event is' : `${events} events are`;
  return `${are} older than the seal (${day}) and in no total`;
}

function withIssue(file: FileProgress, issue: Issue): FileProgress {
  const issues = createIssues();
  const others = file.issues.list.filter((each) => each.code !== code);
  const gone = file.issues.list.length - others.length;
  issues.addAll({
    list: others,
    count: file.issues.count - gone,
    lostCount: file.issues.lostCount - gone,
  });
  issues.add(issue);
  const { list, count, lostCount } = issues;
  return { ...file, issues: { list, count, lostCount } };
}
