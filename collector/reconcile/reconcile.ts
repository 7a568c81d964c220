/**
 * Session files against the log, and the log against the views: every difference has a reason of
 * the closed set.
 *
 * Files are read with code of their own, so that this can catch the importers and the extension.
 * Sums per session come first; single records are looked at only where sums differ, so memory grows
 * with sessions, with subagents' claims and with what is wrong, not with the log (40 to 80 bytes a
 * record apart).
 *
 * Contract: reads files and asks, changes nothing. Throws when a directory, the log or the views
 * cannot be read.
 */

import type { Ask } from './ask.ts';
import { type ClaimBook, noClaims } from './claims.ts';
import { countedByKind, totalOf } from './counted.ts';
import { type Difference, difference } from './difference.ts';
import { type Figures, noFigures, sumOf } from './figures.ts';
import { booksOfFiles } from './files/file-books.ts';
import { type FileFacts, readFileFacts } from './files/file-facts.ts';
import type { FileProblem, SessionFile } from './files/session-files.ts';
import { createFindings, type Findings } from './findings.ts';
import { judgeClaims } from './judge-claims.ts';
import { judgeRecords } from './judge-records.ts';
import { judgeViews } from './judge-views.ts';
import { type LogFacts, readLogFacts } from './log-facts.ts';
import { excuseSealed, readFloorMs } from './sealed.ts';
import { tellUnaccounted } from './unaccounted.ts';
import { readViewFacts, type ViewFacts } from './view-facts.ts';

export interface ReconcileOptions {
  readonly directories: readonly string[];
  readonly ask: Ask;
  /** The user's rules ignore some projects: their sessions are in no view. */
  readonly ignoresProjects?: boolean;
  readonly nowMs: number;
  /** Whether a file is no longer what it was when it was read. */
  hasChanged(file: SessionFile): boolean;
}

export interface ReconciledSession {
  readonly sessionId: string;
  readonly files: readonly string[];
  /** By kind, claims' rests under `tool`; null where that side does not know the session. */
  readonly inFiles: ReadonlyMap<string, Figures> | null;
  readonly inLog: ReadonlyMap<string, Figures> | null;
  readonly inViews: Figures | null;
  readonly differences: readonly Difference[];
}

export interface Reconciliation {
  readonly isExplained: boolean;
  /** By id, which for the hosts known is by time. */
  readonly sessions: readonly ReconciledSession[];
  /** Differences that are no session's. */
  readonly overall: readonly Difference[];
  /** Lines and files that could not be read. */
  readonly problems: readonly FileProblem[];
  readonly totals: {
    readonly inFiles: Figures;
    readonly inLog: Figures;
    readonly inViews: Figures;
  };
  readonly read: { readonly files: number; readonly bytes: number; readonly events: number };
}

export async function reconcile({
  directories,
  ask,
  ignoresProjects = false,
  nowMs,
  hasChanged,
}: ReconcileOptions): Promise<Reconciliation> {
  const floorMs = await readFloorMs(ask);
  const files = readFileFacts(directories, { floorMs, latestMs: nowMs + aheadMsMax });
  const books = booksOfFiles(files);
  const log = await readLogFacts(ask, (identity) => files.ownerOf(identity), undefined, floorMs);
  const views = await readSettledViews(ask, { ignoresProjects, floorMs }, log);
  const findings = createFindings();
  tellOfFiles(files, findings);
  const differing = await judgeRecords(files, log, findings);
  judgeClaims(books, log, differing, findings);
  await tellUnaccounted(log, findings);
  const overall = [...leftOut(files), ...judgeViews(log, views, findings)];
  tellAhead(files, findings, nowMs);
  excuseChanging(files, findings, hasChanged);
  excuseSealed(files, log, views, findings);
  const sessions = sessionsOf({ files, books, log, views }, findings);
  const differences = [...overall, ...sessions.flatMap((session) => session.differences)];
  return {
    isExplained: differences.every(({ explained }) => explained),
    sessions,
    overall,
    problems: files.problems,
    totals: {
      inFiles: sumOf(
        sessions.map(({ inFiles }) => (inFiles === null ? noFigures() : totalOf(inFiles))),
      ),
      inLog: sumOf(sessions.map(({ inLog }) => (inLog === null ? noFigures() : totalOf(inLog)))),
      inViews: sumOf(views.bySession.values()),
    },
    read: { files: fileCount(files), bytes: files.bytes, events: log.events() },
  };
}

/** As the contract has it. */
const aheadMsMax = 24 * 60 * 60 * 1000;

const roundsMax = 5;

/**
 * A running collector takes in events meanwhile: views are asked again until the log stood still
 * over it.
 */
async function readSettledViews(
  ask: Ask,
  { ignoresProjects, floorMs }: { readonly ignoresProjects: boolean; readonly floorMs: number },
  log: LogFacts,
): Promise<ViewFacts> {
  let views = await readViewFacts(ask, ignoresProjects, floorMs);
  for (let round = 1; round < roundsMax && (await log.readOn()); round++) {
    views = await readViewFacts(ask, ignoresProjects, floorMs);
  }
  return views;
}

function tellOfFiles({ sessions, problems }: FileFacts, findings: Findings): void {
  for (const { sessionId, copies } of sessions.values()) {
    for (const [owner, count] of copies)
      findings.add(sessionId, difference('copied', count, { otherSessionId: owner }));
  }
  const sessionOfPath = new Map(
    [...sessions.values()].flatMap(({ sessionId, files }) =>
      files.map(({ path }) => [path, sessionId]),
    ),
  );
  for (const { path, line, reason, entryId, lines = 1 } of problems) {
    const sessionId = sessionOfPath.get(path);
    if (sessionId === undefined) continue;
    findings.add(
      sessionId,
      difference(reason, lines, {
        file: path,
        ...(line !== null && { line }),
        ...(entryId !== undefined && { entryId }),
      }),
    );
  }
}

/** Files of which not even the session is known. */
function leftOut({ sessions, problems }: FileFacts): readonly Difference[] {
  const known = new Set(
    [...sessions.values()].flatMap(({ files }) => files.map(({ path }) => path)),
  );
  return problems
    .filter(({ path, reason }) => reason === 'file_left_out' && !known.has(path))
    .map(({ path, reason }) => difference(reason, 1, { file: path }));
}

/** No import helps with what the log does not take yet. */
function tellAhead({ sessions }: FileFacts, findings: Findings, nowMs: number): void {
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

function sessionsOf(
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
