/**
 * Looks for tool results that say the same of one run of a subagent, to the token, and of which
 * more than one counts, whatever rule let them, or one beside the subagent's own records. A result
 * that names nobody may be about the same run as one that does, or as one of another tool: nobody
 * knows, and that is said, too. Pure.
 */
import { listCounts, listTokens, restsOf, totalOf } from './counted-results.ts';
import { difference } from './difference.ts';
import { sumAll } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { SpentResult } from './files/result-ties.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

export function reportCollectedAgain(files: FileFacts, log: LogFacts, findings: Findings): void {
  const told = files.results.filter(
    ({ runs, tokens }) => runs.length > 0 && listTokens(tokens).some((count) => count > 0n),
  );
  const ofRun = Map.groupBy(told, ({ sessionId, runs, tokens }) =>
    JSON.stringify([sessionId, runs, listTokens(tokens).map(String)]),
  );
  const reported = new Set<string>();
  const report = (results: readonly SpentResult[], times: number, what: string) => {
    const [first, last] = [results[0], results.at(-1)];
    if (first === undefined || last === undefined || reported.has(last.entryId)) return;
    const entryIds = new Set(results.map(({ entryId }) => entryId));
    if (entryIds.size <= times || !countsMore(first, { entryIds, times }, files, log)) return;
    reported.add(last.entryId);
    findings.add(
      first.sessionId,
      difference('counted_twice', 1, {
        kind: 'tool',
        entryId: last.entryId,
        file: files.sessions.get(first.sessionId)?.files[0]?.path ?? first.sessionId,
        inFiles: `what ${first.entryId} says of ${what}`,
      }),
    );
  };
  for (const results of ofRun.values()) report(results, 1, 'the same run');
  const answered = files.results.filter(({ tokens }) => tokens.input * tokens.output > 0);
  const alike = Map.groupBy(answered, ({ sessionId, tokens }) =>
    JSON.stringify([sessionId, listTokens(tokens).map(String)]),
  );
  for (const results of alike.values()) {
    const known = countKnown(results, files);
    if (known !== null) report(results, known, 'what may be the same run');
  }
}

/**
 * How many subagents results of the same figures are about for certain; null where each names one,
 * or where nothing tells that they are about subagents: a tool may spend the same each time.
 */
function countKnown(results: readonly SpentResult[], { ties, sessions }: FileFacts): number | null {
  const isNameless = ({ names, runs }: SpentResult) => names.length + runs.length === 0;
  if (results.length < 2 || !results.some(isNameless)) return null;
  const named = results.filter((result) => !isNameless(result));
  const runs = new Set(named.map((each) => JSON.stringify([each.names, each.runs])));
  const turnsAt = new Map(results.map(({ entryId, turnAtMs }) => [entryId, turnAtMs ?? 0]));
  const beganMs = (id: string) => sessions.get(id)?.files[0]?.header.timeMs ?? 0;
  // What began in the turn was started by it: each call may have started another one.
  const tied = ties.filter(
    ({ parentSessionId, entryId, sessionId }) =>
      parentSessionId === results[0]?.sessionId &&
      beganMs(sessionId) < (turnsAt.get(entryId) ?? Number.NEGATIVE_INFINITY),
  );
  const children = new Set(tied.map(({ sessionId }) => sessionId));
  const tools = new Set(results.map(({ tool }) => tool));
  const known = Math.max(runs.size, children.size);
  return known === 0 && tools.size < 2 ? null : Math.max(known, 1);
}

interface Alike {
  readonly entryIds: ReadonlySet<string>;
  /** As often as what they say may count. */
  readonly times: number;
}

/** Whether more than that counts of them, with the subagents' sessions. */
function countsMore(result: SpentResult, alike: Alike, files: FileFacts, log: LogFacts): boolean {
  const counted = countedOf(result, alike, files, log);
  const tooMuch = BigInt(alike.times + 1);
  return listTokens(result.tokens).every(
    (count, index) => tooMuch * count <= (counted[index] ?? 0n),
  );
}

/** What counts of these results, and of the subagents' sessions up to what these may say. */
function countedOf(
  { sessionId, tokens }: SpentResult,
  { entryIds, times }: Alike,
  files: FileFacts,
  log: LogFacts,
): readonly bigint[] {
  const tied = files.ties.filter(
    (tie) => tie.parentSessionId === sessionId && entryIds.has(tie.entryId),
  );
  const children = [...new Set(tied.map((tie) => tie.sessionId))];
  const recorded = listCounts(sumAll(children.map((child) => totalOf(log.sessions.get(child)))));
  const rests = listCounts(sumAll(restsOf(log.sessions.get(sessionId), entryIds)));
  return listTokens(tokens).map((said, index) => {
    const own = recorded[index] ?? 0n;
    const most = BigInt(times) * said;
    return (rests[index] ?? 0n) + (own < most ? own : most);
  });
}
