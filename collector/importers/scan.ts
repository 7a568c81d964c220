/**
 * One scan of the session files: finds them, reads those that have changed, delivers their events,
 * and saves the progress.
 *
 * Guarantees: a file counts as read only after all its events were accepted, so an interrupted or
 * repeated scan only costs time. It stops at no file: a problem with one is an issue.
 */
import type { Ack, Rejection } from '@pi-ledger/contract';
import type { Late } from '../log/history.ts';
import { discover } from './discover.ts';
import type { ImportSource, Root } from './importer.ts';
import { createIssues, type Issue, type IssueList } from './issues.ts';
import { parseIssues } from './progress/file-rows.ts';
import { lateIssue } from './progress/late-sessions.ts';
import type { ProgressStore } from './progress/progress.ts';
import type { ScanCounts } from './progress/scans.ts';
import { forgetIfPutBack } from './progress/witnesses.ts';
import { isDueAgain, type ReadChangedOptions, readChanged } from './read-changed.ts';
import type { FileOutcome } from './read-files.ts';
import { sumBytes } from './sources.ts';
import type { EventBatch, FileOf } from './threads/batches.ts';

export interface ScanOptions extends ReadChangedOptions {
  readonly roots: readonly Root[];
  /**
   * Contract: resolves when everything that is not rejected is durable; rejects when the store
   * fails, which ends the scan.
   */
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  /**
   * Files that changed this recently are left for the next scan: they are being written, and the
   * live extension records them.
   */
  readonly quietMs: number;
  /** Whether this process has kept the store open since the last scan, so nobody restored it. */
  readonly isSameLog?: boolean;
  onProgress?(counts: ScanCounts): void;
}

export interface ScanResult {
  /**
   * The store has lost acknowledged events, as after restoring a backup: every file counted as new.
   */
  readonly wasPutBack: boolean;
  readonly files: {
    readonly found: number;
    readonly unchanged: number;
    readonly read: number;
    /** Files changed too recently. */
    readonly leftAlone: number;
    /** Files in which nothing could be imported. */
    readonly failed: number;
  };
  /** By host, where there are any. */
  readonly hosts: Readonly<Partial<Record<string, HostFiles>>>;
  readonly bytes: number;
  readonly events: {
    readonly new: number;
    readonly known: number;
    /** Older than the seal and left out: in the totals as far as they were there then. */
    readonly expired: number;
    /** It says what of `expired` in files read now is in no total; null when nobody may say. */
    readonly late: Late | null;
    readonly rejected: number;
  };
  /** The first issues; all are counted. */
  readonly issues: readonly Issue[];
  readonly issueCount: number;
  /** All issues that may hold spend which is in no total. */
  readonly lostCount: number;
}

interface HostFiles {
  readonly found: number;
  /** New or changed. */
  readonly toRead: number;
}

export async function runScan(options: ScanOptions): Promise<ScanResult> {
  const { progress, onProgress } = options;
  const issues = createIssues();
  const { witnesses } = progress;
  const wasPutBack =
    witnesses !== null &&
    options.isSameLog !== true &&
    (await forgetIfPutBack(witnesses, options.accept));
  const notes = progress.openScanNotes?.(options.roots.map(({ directory }) => directory));
  const known = progress.files();
  const found = await discover(options.roots, issues, (path) => known.has(path));
  const streamed: Issue[] = [];
  const nowMs = options.now();
  const isDue = ({ path, stamp }: ImportSource) =>
    known.get(path)?.stamp !== stamp || isDueAgain(known.get(path), nowMs);
  const changed = found.filter(isDue);
  const failedBefore = noteKnown(
    found.filter((file) => !isDue(file)),
    known,
    addIssues,
  );
  const quietSinceMs = nowMs - options.quietMs;
  const due = changed.filter(({ changedMs }) => options.quietMs === 0 || changedMs <= quietSinceMs);
  const totals = {
    filesToRead: due.length,
    bytesToRead: sumBytes(due),
    files: 0,
    bytes: 0,
    failed: 0,
    new: 0,
    known: 0,
    expired: 0,
    rejected: 0,
  };

  const late = new Set<string>();

  async function take({ texts, bytes }: EventBatch, fileOf: FileOf): Promise<void> {
    if (texts.length > 0) {
      const ack = await options.accept(texts.map(parse), texts);
      totals.new += ack.accepted;
      totals.known += ack.duplicates;
      totals.expired += ack.expired;
      if (ack.expired > 0) addAll(late, texts.map(fileOf));
      totals.rejected += ack.rejected.length;
      if (ack.rejected.length + ack.expired === 0) witnesses?.keep(nowMs, texts);
      for (const rejection of ack.rejected)
        issues.add(refused(rejection, fileOf(texts[rejection.index] ?? '')));
    }
    totals.bytes += bytes;
    tell();
  }

  function countsNow(): ScanCounts {
    return { ...totals, events: totals.new + totals.known + totals.expired };
  }

  function tell(): void {
    const counts = countsNow();
    notes?.note(counts, options.now());
    onProgress?.(counts);
  }

  function addIssues(list: IssueList): void {
    const shown = list.list.filter((issue) => issue.streamed !== undefined);
    if (shown.length === 0) issues.addAll(list);
    else streamed.push(...shown);
  }

  function note(file: FileOutcome): void {
    addIssues(file.issues);
    totals.files += 1;
    if (file.isFailed) totals.failed += 1;
    notes?.note(countsNow(), options.now());
  }

  if (due.length > 0) tell();
  const inNoTotal = await readChanged(
    options,
    { found, changed, due },
    { take, note, issues, late },
  );
  for (const issue of streamed)
    if (!progress.hasSession(issue.streamed?.sessionId ?? '')) issues.add(issue);
  for (const session of progress.lateSessions()) issues.add(lateIssue(session));
  notes?.end();
  return {
    wasPutBack,
    files: {
      found: found.length,
      unchanged: found.length - changed.length - failedBefore,
      read: totals.files - totals.failed,
      leftAlone: changed.length - due.length,
      failed: totals.failed + failedBefore,
    },
    hosts: countByHost(found, due),
    bytes: totals.bytes,
    events: {
      new: totals.new,
      known: totals.known,
      expired: totals.expired,
      late: inNoTotal,
      rejected: totals.rejected,
    },
    issues: issues.list,
    issueCount: issues.count,
    lostCount: issues.lostCount,
  };
}

function countByHost(
  found: readonly ImportSource[],
  due: readonly ImportSource[],
): ScanResult['hosts'] {
  const names = new Set(found.map(({ importer }) => importer.name));
  const count = (files: readonly ImportSource[], name: string) =>
    files.filter(({ importer }) => importer.name === name).length;
  return Object.fromEntries(
    [...names].map((name) => [name, { found: count(found, name), toRead: count(due, name) }]),
  );
}

/** Repeats the issues of unchanged files. Returns how many of these files failed. */
function noteKnown(
  unchanged: readonly ImportSource[],
  known: ReturnType<ProgressStore['files']>,
  addIssues: (issues: IssueList) => void,
): number {
  let failed = 0;
  for (const { path } of unchanged) {
    const file = known.get(path);
    if (file === undefined) continue;
    if (file.isFailed) failed += 1;
    addIssues(parseIssues(file.issues));
  }
  return failed;
}

/** A refused event, which is kept with the dead letters. */
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

function addAll(paths: Set<string>, more: readonly string[]): void {
  for (const path of more) paths.add(path);
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
