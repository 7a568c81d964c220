/**
 * Compares session files with the log, and the log with the views. Every difference has a reason
 * from a closed set.
 *
 * Files are read with separate code, so that this can catch mistakes of the importers and the
 * extension. Sums per session come first, and single records only where sums differ. So memory
 * grows with sessions, subagents' claims and faults, not with the log (except 40 to 80 bytes per
 * record).
 *
 * Contract: reads files and queries the ledger; changes nothing. Throws when a directory, the log
 * or the views cannot be read.
 */

import type { AskCollector } from './ask.ts';
import { type ClaimBook, noClaims } from './claim-book.ts';
import { countedByKind, totalIn } from './counted.ts';
import { type Difference, difference } from './difference.ts';
import { type Figures, noFigures, requestsIn, sumAll } from './figures.ts';
import { booksOfFiles } from './files/file-books.ts';
import { type FileFacts, readFileFacts } from './files/file-facts.ts';
import type { FileProblem, SessionFile } from './files/session-files.ts';
import { createFindings, type Findings } from './findings.ts';
import { judgeClaims } from './judge-claims.ts';
import { judgeMoves } from './judge-moves.ts';
import { judgeRecords } from './judge-records.ts';
import { judgeSealed } from './judge-sealed.ts';
import { judgeViews } from './judge-views.ts';
import { reportWithdrawn } from './judge-withdrawn.ts';
import { type LogFacts, readLogFacts } from './log-facts.ts';
import type { FormatSearch } from './readers/reader.ts';
import { excuseRemembered } from './remembered-private.ts';
import { leftOut, reportFiles } from './report-files.ts';
import { excuseSealed, readFloorMs } from './sealed.ts';
import { reportStrayChildren } from './stray-children.ts';
import { reportStreamed } from './streamed.ts';
import { reportUnaccounted } from './unaccounted.ts';
import { reportUnsureCopies } from './unsure-copies.ts';
import { readViewFacts, type ViewFacts } from './view-facts.ts';
import { reportWitnesses } from './witnesses.ts';

export interface ReconcileOptions {
  readonly searches: readonly FormatSearch[];
  readonly ask: AskCollector;
  /** Whether the user's rules ignore projects, whose sessions are in no view. */
  readonly ignoresProjects?: boolean;
  /** Whether the answers of `ask` leave out events of others; default: they never do. */
  readonly readsOnlyOwn?: () => boolean;
  /** Sessions of exports that came after the seal, and how many of their events are in no total. */
  readonly lateSessions?: readonly { readonly session: string; readonly events: number }[];
  /** Sessions that this home's imports remember as private. */
  readonly privateSessions?: readonly string[];
  readonly nowMs: number;
  /** Whether a file has changed since it was read. */
  hasChanged(file: SessionFile): boolean;
}

export interface ReconciledSession {
  readonly sessionId: string;
  readonly files: readonly string[];
  /**
   * By kind, with the rest of claims under `tool`; null when that side does not know the session.
   */
  readonly inFiles: ReadonlyMap<string, Figures> | null;
  readonly inLog: ReadonlyMap<string, Figures> | null;
  readonly inViews: Figures | null;
  readonly differences: readonly Difference[];
}

export interface Reconciliation {
  readonly isExplained: boolean;
  /** Sorted by id, which for the known hosts means by time. */
  readonly sessions: readonly ReconciledSession[];
  /** Differences that belong to no session. */
  readonly overall: readonly Difference[];
  /** Unreadable lines and files. */
  readonly problems: readonly FileProblem[];
  readonly totals: {
    readonly inFiles: Figures;
    readonly inLog: Figures;
    readonly inViews: Figures;
  };
  readonly read: { readonly files: number; readonly bytes: number; readonly events: number };
}

export async function reconcile({
  searches,
  ask,
  ignoresProjects = false,
  readsOnlyOwn = () => false,
  lateSessions = [],
  privateSessions = [],
  nowMs,
  hasChanged,
}: ReconcileOptions): Promise<Reconciliation> {
  const floorMs = await readFloorMs(ask);
  const files = readFileFacts(searches, { floorMs, latestMs: nowMs + aheadMsMax });
  const books = booksOfFiles(files);
  const log = await readLogFacts(ask, (identity) => files.ownerOf(identity), undefined, floorMs);
  const views = await readSettledViews(ask, { ignoresProjects, floorMs }, log);
  const findings = createFindings();
  reportFiles(files, findings);
  await judgeMoves(log, findings);
  const differing = await judgeRecords(files, log, findings);
  judgeClaims(books, log, differing, findings);
  await reportUnaccounted(log, findings);
  await reportStrayChildren(log, files, findings);
  await reportUnsureCopies(log, findings);
  reportRequests(log, findings);
  reportStreamed(files, log, findings);
  reportWitnesses(files, log, findings);
  const found = [...leftOut(files, log), ...judgeViews(log, views, findings)];
  reportWithdrawn(files, log, findings);
  reportAhead(files, findings, nowMs);
  excuseChanging(files, findings, hasChanged);
  excuseRemembered(findings, privateSessions);
  excuseSealed(files, log, views, findings);
  judgeSealed(files, views, findings);
  for (const { session, events } of lateSessions)
    if (!files.sealed.has(session)) findings.add(session, difference('older_than_seal', events));
  const sessions = judgeSessions({ files, books, log, views }, findings);
  const named = [...found, ...sessions.flatMap((session) => session.differences)];
  const isWhole = floorMs === 0 && !readsOnlyOwn();
  const overall = isWhole ? [...found, ...lostFrom(log, named)] : found;
  const differences = [...overall, ...sessions.flatMap((session) => session.differences)];
  return {
    isExplained: differences.every(({ explained }) => explained),
    sessions,
    overall,
    problems: files.problems,
    totals: {
      inFiles: sumAll(
        sessions.map(({ inFiles }) => (inFiles === null ? noFigures() : totalIn(inFiles))),
      ),
      inLog: sumAll(sessions.map(({ inLog }) => (inLog === null ? noFigures() : totalIn(inLog)))),
      inViews: sumAll(views.bySession.values()),
    },
    read: { files: fileCount(files), bytes: files.bytes, events: log.events() },
  };
}

/** The contract's limit for times in the future. */
const aheadMsMax = 24 * 60 * 60 * 1000;

const roundsMax = 5;

/**
 * A running collector may append events meanwhile: the views are read again until the log stays
 * unchanged.
 */
async function readSettledViews(
  ask: AskCollector,
  { ignoresProjects, floorMs }: { readonly ignoresProjects: boolean; readonly floorMs: number },
  log: LogFacts,
): Promise<ViewFacts> {
  let views = await readViewFacts(ask, ignoresProjects, floorMs);
  for (let round = 1; round < roundsMax && (await log.readOn()); round++) {
    views = await readViewFacts(ask, ignoresProjects, floorMs);
  }
  return views;
}

/** Events that are gone without another fault, as of a session that has no file. */
function lostFrom({ positions }: LogFacts, named: readonly Difference[]): readonly Difference[] {
  const { missing, firstMissing } = positions;
  if (firstMissing === null || named.some(({ explained }) => !explained)) return [];
  return [difference('events_lost', missing, { position: firstMissing })];
}

function reportRequests({ sessions }: LogFacts, findings: Findings): void {
  for (const [sessionId, { sums }] of sessions) {
    const requests = requestsIn(sums);
    if (requests !== 0) findings.add(sessionId, difference('package_requests', requests));
  }
}

/** Marks missing records that are too far in the future for any import. */
function reportAhead({ sessions }: FileFacts, findings: Findings, nowMs: number): void {
  for (const { sessionId, unitsAhead } of sessions.values()) {
    if (unitsAhead === 0) continue;
    findings.replace(sessionId, (found) => {
      const { reason, count, at, file, entryId, kind } = found;
      const where = {
        ...(file !== undefined && { file }),
        ...(entryId !== undefined && { entryId }),
        ...(kind !== undefined && { kind }),
      };
      if (reason === 'missing_in_log' && at !== undefined && Date.parse(at) > nowMs + aheadMsMax)
        return difference('ahead_of_clock', count, { ...where, at });
      return reason === 'not_imported' && count <= unitsAhead
        ? difference('ahead_of_clock', count, where)
        : found;
    });
  }
}

const whileWriting: ReadonlySet<string> = new Set([
  'not_imported',
  'missing_in_log',
  'extra_in_log',
]);

function excuseChanging(
  { sessions }: FileFacts,
  findings: Findings,
  hasChanged: (file: SessionFile) => boolean,
): void {
  for (const sessionId of [...findings.sessions()]) {
    if (!findings.of(sessionId).some(({ reason }) => whileWriting.has(reason))) continue;
    if (!(sessions.get(sessionId)?.files ?? []).some(hasChanged)) continue;
    findings.replace(sessionId, (found) =>
      whileWriting.has(found.reason) ? difference('file_changing', found.count) : found,
    );
  }
}

interface Sides {
  readonly files: FileFacts;
  readonly books: ReadonlyMap<string, ClaimBook>;
  readonly log: LogFacts;
  readonly views: ViewFacts;
}

function judgeSessions(
  { files, books, log, views }: Sides,
  findings: Findings,
): readonly ReconciledSession[] {
  const ids = new Set([
    ...files.sessions.keys(),
    ...log.sessions.keys(),
    ...views.bySession.keys(),
    ...findings.sessions(),
  ]);
  return [...ids].sort().map((sessionId) => {
    const file = files.sessions.get(sessionId);
    const logged = log.sessions.get(sessionId);
    return {
      sessionId,
      files: file?.files.map(({ path }) => path) ?? [],
      inFiles:
        file === undefined ? null : countedByKind(file.sums, books.get(sessionId) ?? noClaims()),
      inLog: logged === undefined ? null : countedByKind(logged.sums, logged.book),
      inViews: views.bySession.get(sessionId) ?? null,
      differences: findings.of(sessionId),
    };
  });
}

function fileCount({ sessions }: FileFacts): number {
  return [...sessions.values()].reduce((sum, { files }) => sum + files.length, 0);
}
