/**
 * Looks at what tool results say of runs of one subagent whose session is there: a part counts
 * beside a session that another result says as a whole, or the session lacks what they say, and it
 * does not count either. Pure.
 */
import { listCounts, listTokens, restsOf, totalOf } from './counted-results.ts';
import { difference } from './difference.ts';
import { sumAll } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { SpentResult } from './files/result-ties.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

type Counts = readonly bigint[];

/** Results of one session about one subagent, and what counts of both. */
interface Told {
  readonly results: readonly SpentResult[];
  readonly recorded: Counts;
  readonly rests: Counts;
}

export function reportToldRuns(files: FileFacts, log: LogFacts, findings: Findings): void {
  for (const [child, results] of resultsByChild(files)) {
    const [{ sessionId }] = results;
    const parent = log.sessions.get(sessionId);
    const session = log.sessions.get(child);
    // What a subagent's own subagents recorded may be in what a result says.
    if (results.length < 2 || session === undefined || session.book.claims.length > 0) continue;
    const entryIds = new Set(results.map(({ entryId }) => entryId));
    const told = {
      results,
      recorded: listCounts(totalOf(session)),
      rests: listCounts(sumAll(restsOf(parent, entryIds))),
    };
    const file = files.sessions.get(sessionId)?.files[0]?.path ?? sessionId;
    const about = { kind: 'tool', file, otherSessionId: child } as const;
    const whole = findWhole(told);
    if (whole !== null)
      findings.add(
        sessionId,
        difference('counted_twice', 1, {
          ...about,
          entryId: whole.entryId,
          inFiles: `all that ${child} recorded; a part of it counts again`,
        }),
      );
    const said = sumRuns(results);
    const counted = told.recorded.map((count, index) => count + (told.rests[index] ?? 0n));
    if (said !== null && !isWithin(said, counted))
      findings.add(
        sessionId,
        difference('claim_differs', 1, { ...about, inFiles: text(said), inLog: text(counted) }),
      );
  }
}

/** By the subagent, results that are about it alone. */
function resultsByChild({ results, ties }: FileFacts) {
  const named = ties.map((tie) => ({ ...tie, key: `${tie.parentSessionId} ${tie.entryId}` }));
  const tiesOf = Map.groupBy(named, ({ key }) => key);
  const found = new Map<string, [SpentResult, ...SpentResult[]]>();
  for (const result of results) {
    const [tie, ...more] = tiesOf.get(`${result.sessionId} ${result.entryId}`) ?? [];
    if (tie === undefined || more.length > 0) continue;
    const known = found.get(tie.sessionId);
    if (known === undefined) found.set(tie.sessionId, [result]);
    else if (known[0].sessionId === result.sessionId) known.push(result);
  }
  return found;
}

/** The result that says all that was recorded, where another one names it, too, and counts. */
function findWhole({ results, recorded, rests }: Told): SpentResult | null {
  if (rests.every((count) => count === 0n)) return null;
  const isAll = ({ tokens }: SpentResult) => isSame(listTokens(tokens), recorded);
  const isPart = ({ names, tokens }: SpentResult) =>
    names.length > 0 && isWithin(listTokens(tokens), recorded);
  return results.every(isPart) ? (results.find(isAll) ?? null) : null;
}

/** Returns null unless each result tells its run, and there are several. */
function sumRuns(results: readonly SpentResult[]): Counts | null {
  if (!results.every(({ runs }) => runs.length > 0 && runs.every((run) => run.startsWith('run:'))))
    return null;
  const byRun = Map.groupBy(results, ({ runs }) => JSON.stringify(runs));
  if (byRun.size < 2) return null;
  const most = [...byRun.values()].map((each) =>
    each.map(({ tokens }): Counts => listTokens(tokens)).reduce(larger),
  );
  return most.reduce((left, right) => left.map((count, index) => count + (right[index] ?? 0n)));
}

function larger(left: Counts, right: Counts): Counts {
  return isWithin(left, right) ? right : left;
}

function isWithin(counts: Counts, most: Counts): boolean {
  return counts.every((count, index) => count <= (most[index] ?? 0n));
}

function isSame(left: Counts, right: Counts): boolean {
  return left.every((count, index) => count === right[index]);
}

function text([input, output, read, written]: Counts): string {
  return `${input} in, ${output} out, ${read} read, ${written} written`;
}
