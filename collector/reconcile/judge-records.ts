/** Compares records session by session: sums first, then one by one where the sums differ. */
import { compareUnits, type FileSideUnit } from './compare-units.ts';
import { aboutUnit, difference } from './difference.ts';
import { sameSums } from './figures.ts';
import { mayBeAncestor } from './files/ancestors.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { FileSession } from './files/file-session.ts';
import type { Findings } from './findings.ts';
import { judgeSums } from './judge-moves.ts';
import type { LogFacts, LogSession } from './log-facts.ts';
import type { LogUnit } from './log-rows.ts';

/** The most records of both sides held in memory, at about 500 bytes each. */
const unitsMax = 500_000;

/**
 * Returns the sessions that disagree with their files. A session without a file is reported but not
 * returned.
 */
export async function judgeRecords(
  files: FileFacts,
  log: LogFacts,
  findings: Findings,
): Promise<ReadonlySet<string>> {
  const differing = new Set<string>();
  const closer = new Set<string>();
  let units = 0;
  for (const sessionId of new Set([...files.sessions.keys(), ...log.sessions.keys()])) {
    const file = files.sessions.get(sessionId);
    const logged = log.sessions.get(sessionId);
    if (!differs(file, logged) && !log.moved.has(sessionId)) continue;
    if (file !== undefined || log.moved.has(sessionId)) differing.add(sessionId);
    const held = (file?.sums.units ?? 0) + (logged?.sums.units ?? 0);
    if (reportWhole(sessionId, file, logged, { files, log }, findings)) continue;
    if (units + held > unitsMax) {
      findings.add(sessionId, difference('too_many_differences', held));
      continue;
    }
    units += held;
    closer.add(sessionId);
  }
  if (closer.size > 0) await judgeOneByOne(closer, files, log, findings);
  return differing;
}

function differs(file: FileSession | undefined, logged: LogSession | undefined): boolean {
  if (file === undefined || logged === undefined) return (file ?? logged)?.sums.units !== 0;
  return !sameSums(file.sums, logged.sums);
}

/** True when the whole session is on one side only. */
function reportWhole(
  sessionId: string,
  file: FileSession | undefined,
  logged: LogSession | undefined,
  { files, log: { moved } }: { readonly files: FileFacts; readonly log: LogFacts },
  findings: Findings,
): boolean {
  if (moved.has(sessionId)) return false;
  if (file === undefined) {
    const isPrivate = files.isNamedInPrivate(sessionId, logged?.firstMs ?? 0);
    const reason = isPrivate ? 'may_be_private' : reasonWithoutFile(logged);
    findings.add(sessionId, difference(reason, logged?.sums.units ?? 0));
  } else if (logged === undefined || logged.sums.units === 0) {
    const [first] = file.files;
    findings.add(
      sessionId,
      difference('not_imported', file.sums.units, first === undefined ? {} : { file: first.path }),
    );
  } else return false;
  return true;
}

function reasonWithoutFile(logged: LogSession | undefined): 'file_gone' | 'live_only_session' {
  return logged?.imported === true ? 'file_gone' : 'live_only_session';
}

async function judgeOneByOne(
  sessionIds: ReadonlySet<string>,
  files: FileFacts,
  log: LogFacts,
  findings: Findings,
): Promise<void> {
  const inFiles: FileSideUnit[] = [];
  for (const { unit, file } of files.unitsOf(sessionIds)) {
    inFiles.push({ unit, path: file.path, inherited: unit.timeMs < file.header.timeMs });
  }
  const inLog: LogUnit[] = [];
  for await (const unit of log.unitsOf(sessionIds)) inLog.push(unit);
  judgeSums(sessionIds, { files, log, inLog }, findings);
  const copiers = findCopiers(files);
  const isAncestor = (sessionId: string, candidate: string): boolean =>
    [sessionId, ...(copiers.get(sessionId) ?? [])].some((each) =>
      mayBeAncestor(files, each, candidate),
    );
  const { differences, extra } = compareUnits(inFiles, inLog, isAncestor);
  for (const { sessionId, difference: found } of differences) findings.add(sessionId, found);
  reportExtra(extra, files, log, findings);
}

/**
 * For each session, those with copies of its units: their headers may name ancestors that its own
 * does not.
 */
function findCopiers({ sessions }: FileFacts): ReadonlyMap<string, readonly string[]> {
  const copiers = new Map<string, string[]>();
  for (const { sessionId, copies } of sessions.values()) {
    for (const owner of copies.keys())
      copiers.set(owner, [...(copiers.get(owner) ?? []), sessionId]);
  }
  return copiers;
}

/**
 * Reports records that only the log has. Each unreadable line in the file explains one live record.
 */
function reportExtra(
  extra: readonly LogUnit[],
  files: FileFacts,
  log: LogFacts,
  findings: Findings,
): void {
  const unreadable = new Map(
    [...files.sessions.values()].map(({ sessionId, unreadableLines }) => [
      sessionId,
      unreadableLines,
    ]),
  );
  const told = new Set<string>();
  const isNamed = ({ unit, imported }: LogUnit) =>
    !imported && files.sessions.get(unit.sessionId)?.unreadableIds.has(unit.entryId) === true;
  for (const { unit } of extra.filter(isNamed)) {
    told.add(JSON.stringify([unit.sessionId, unit.entryId]));
    unreadable.set(unit.sessionId, (unreadable.get(unit.sessionId) ?? 0) - 1);
  }
  for (const { unit, position, eventId, imported } of extra.filter((each) => !isNamed(each))) {
    const { sessionId } = unit;
    const left = unreadable.get(sessionId);
    if (files.isPrivate(unit.identity))
      findings.add(
        sessionId,
        difference('private_in_log', 1, { ...aboutUnit(unit), position, eventId }),
      );
    else if (left === undefined)
      findings.add(sessionId, difference(reasonWithoutFile(log.sessions.get(sessionId)), 1));
    else if (left > 0 && !imported) {
      unreadable.set(sessionId, left - 1);
      findings.add(sessionId, difference('unreadable_line', 1));
    } else
      findings.add(
        sessionId,
        difference('extra_in_log', 1, { ...aboutUnit(unit), position, eventId }),
      );
  }
  for (const sessionId of unreadable.keys()) {
    findings.replace(sessionId, (found) => {
      const { reason, count, entryId = '', explained: _, ...where } = found;
      const isTold = reason === 'line_left_out' && told.has(JSON.stringify([sessionId, entryId]));
      return isTold ? difference('unreadable_line', count, { ...where, entryId }) : found;
    });
  }
}
