/**
 * Looks for spend that counts twice without any rule of who counts what, so that a rule that is
 * wrong is noticed: by figures that are equal to the token, answers that are the same, and sessions
 * that count more than is in their files. Pure.
 */
import { restsOfGroups } from './claims.ts';
import { reportCollectedAgain } from './collected-again.ts';
import { countedByKind, totalIn } from './counted.ts';
import { difference } from './difference.ts';
import { type Figures, noFigures, sumAll, unitFigures } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { FileSession } from './files/file-session.ts';
import type { SpentResult } from './files/result-ties.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';
import { reportToldRuns } from './told-runs.ts';

export function reportWitnesses(files: FileFacts, log: LogFacts, findings: Findings): void {
  reportRepeatedSums(files, log, findings);
  reportCollectedAgain(files, log, findings);
  reportToldRuns(files, log, findings);
  reportSameAnswers(files, log, findings);
  reportExcess(files, log, findings);
}

/** More sessions of one tool result are not tried: there are 65,536 sums of so many. */
const sessionsMax = 16;

/** A tool result that counts beside the sessions that its usage is the sum of. */
function reportRepeatedSums(files: FileFacts, log: LogFacts, findings: Findings): void {
  const byParent = Map.groupBy(files.results, ({ sessionId }) => sessionId);
  for (const [sessionId, results] of byParent) {
    const covered = coveredByResult(log.sessions.get(sessionId));
    for (const result of results) {
      const sum = tokensSaid(result);
      // What is covered of these claims may well be what the sessions recorded.
      if (isWithin(sum, covered.get(result.entryId) ?? sum)) continue;
      const repeated = subsetThatAddsUp(files, log, result);
      for (const { session } of repeated)
        findings.add(
          sessionId,
          difference('counted_twice', 1, {
            kind: 'tool',
            entryId: result.entryId,
            ...nameFile(files, sessionId),
            otherSessionId: session.sessionId,
            inFiles: `the sum of ${repeated.map((each) => firstPath(each.session)).join(', ')}`,
          }),
        );
    }
  }
}

/**
 * By the entry id of a tool result that counts: how much of its claims, and of those that share
 * what covers them, does not.
 */
function coveredByResult(session: LogSession | undefined): ReadonlyMap<string, readonly bigint[]> {
  const groups = session === undefined ? [] : restsOfGroups(session.book);
  return new Map(
    groups.flatMap(({ claims, rest }) => {
      if (rest.records === 0n) return [];
      const covered = minus(listTokens(sumAll(claims.map(unitFigures))), listTokens(rest));
      return claims.map(({ entryId }) => [entryId, covered] as const);
    }),
  );
}

function isWithin(counts: readonly bigint[], most: readonly bigint[]): boolean {
  return counts.every((count, index) => count <= (most[index] ?? 0n));
}

function tokensSaid({ tokens }: SpentResult): readonly bigint[] {
  const { input, output, cacheRead, cacheWrite } = tokens;
  return [input, output, cacheRead, cacheWrite].map(BigInt);
}

interface Candidate {
  readonly session: Pick<FileSession, 'sessionId' | 'files'>;
  readonly tokens: readonly bigint[];
}

/** What a package may sum up of a session: its answers, more, or all its records. */
const summedKinds: readonly ((kind: string) => boolean)[] = [
  (kind) => kind === 'turn',
  (kind) => kind !== 'tool',
  () => true,
];

/** Sessions that began while the tool ran, and count. */
function candidates(
  files: FileFacts,
  log: LogFacts,
  { sessionId, timeMs, turnAtMs }: SpentResult,
  isSummed: (kind: string) => boolean,
): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const { session, beganMs } of sessionsIn(files, log)) {
    if (session.sessionId === sessionId || beganMs < (turnAtMs ?? 0) || beganMs > timeMs) continue;
    const counted = summed(log.sessions.get(session.sessionId), isSummed);
    if (counted.records > 0n) found.push({ session, tokens: listTokens(counted) });
    if (found.length === sessionsMax) break;
  }
  return found;
}

/** Also those of which only the log tells: their files are gone. */
function* sessionsIn({ sessions }: FileFacts, log: LogFacts) {
  for (const session of sessions.values())
    yield { session, beganMs: session.files[0]?.header.timeMs ?? 0 };
  for (const { sessionId, firstMs } of log.sessions.values())
    if (!sessions.has(sessionId)) yield { session: { sessionId, files: [] }, beganMs: firstMs };
}

function summed(session: LogSession | undefined, isSummed: (kind: string) => boolean): Figures {
  if (session === undefined) return noFigures();
  const byKind = countedByKind(session.sums, session.book);
  return sumAll([...byKind].flatMap(([kind, figures]) => (isSummed(kind) ? [figures] : [])));
}

function subsetThatAddsUp(
  files: FileFacts,
  log: LogFacts,
  result: SpentResult,
): readonly Candidate[] {
  const wanted = tokensSaid(result);
  if (wanted.every((count) => count === 0n)) return [];
  for (const isSummed of summedKinds) {
    const found = findSubset(candidates(files, log, result, isSummed), wanted);
    if (found.length > 0) return found;
  }
  return [];
}

function findSubset(all: readonly Candidate[], wanted: readonly bigint[]): readonly Candidate[] {
  const choose = (from: number, left: readonly bigint[]): readonly Candidate[] | null => {
    if (left.every((count) => count === 0n)) return [];
    if (left.some((count) => count < 0n)) return null;
    for (let index = from; index < all.length; index += 1) {
      const candidate = all[index] as Candidate;
      const rest = choose(index + 1, minus(left, candidate.tokens));
      if (rest !== null) return [candidate, ...rest];
    }
    return null;
  };
  return choose(0, wanted) ?? [];
}

function minus(left: readonly bigint[], right: readonly bigint[]): readonly bigint[] {
  return left.map((count, index) => count - (right[index] ?? 0n));
}

/** Answers that a copy holds under other entry ids, and that count there, too. */
function reportSameAnswers(files: FileFacts, log: LogFacts, findings: Findings): void {
  for (const [sessionId, others] of files.sameAnswers)
    for (const [otherSessionId, count] of others) {
      const both = [sessionId, otherSessionId].map((id) => log.sessions.get(id)?.sums);
      if (both.every((sums) => (sums?.byKind.get('turn')?.records ?? 0n) > 0n))
        findings.add(
          sessionId,
          difference('same_answers', count, { ...nameFile(files, sessionId), otherSessionId }),
        );
    }
}

/** A session that counts more than all usage in its own files. */
function reportExcess(files: FileFacts, log: LogFacts, findings: Findings): void {
  for (const session of files.sessions.values()) {
    const logged = log.sessions.get(session.sessionId);
    if (logged === undefined || !isWhole(session)) continue;
    if (findings.of(session.sessionId).some(({ explained }) => !explained)) continue;
    const counted = totalIn(countedByKind(logged.sums, logged.book));
    if (names.every((name) => counted[name] <= session.everything[name])) continue;
    findings.add(
      session.sessionId,
      difference('exceeds_file', 1, nameFile(files, session.sessionId)),
    );
  }
}

/** What is sealed, damaged or private cannot be compared with what counts. */
function isWhole({ sealedUnits, unreadableLines, privateUnits, otherAgentsUnits }: FileSession) {
  return sealedUnits + unreadableLines + privateUnits + otherAgentsUnits === 0;
}

const tokenNames = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
const names = [...tokenNames, 'nanoUsd'] as const;

function listTokens(figures: Figures): readonly bigint[] {
  return tokenNames.map((name) => figures[name]);
}

function nameFile({ sessions }: FileFacts, sessionId: string): { readonly file?: string } {
  const file = sessions.get(sessionId)?.files[0]?.path;
  return file === undefined ? {} : { file };
}

function firstPath({ files, sessionId }: Candidate['session']): string {
  return files[0]?.path ?? sessionId;
}
