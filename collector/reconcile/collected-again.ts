/**
 * Looks for tool results that say the same of one run of a subagent, to the token, and of which
 * more than one counts, whatever rule let them, or one beside the subagent's own records. Pure.
 */
import { restsOfGroups } from './claims.ts';
import { countedByKind, totalIn } from './counted.ts';
import { difference } from './difference.ts';
import { type Figures, noFigures, sumAll } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { SpentResult } from './files/result-ties.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';

export function reportCollectedAgain(files: FileFacts, log: LogFacts, findings: Findings): void {
  const told = files.results.filter(
    ({ runs, tokens }) => runs.length > 0 && listTokens(tokens).some((count) => count > 0n),
  );
  const alike = Map.groupBy(told, ({ sessionId, runs, tokens }) =>
    JSON.stringify([sessionId, runs, listTokens(tokens).map(String)]),
  );
  for (const [first, ...others] of alike.values()) {
    const last = others.at(-1);
    if (first === undefined || last === undefined) continue;
    const entryIds = new Set([first, ...others].map(({ entryId }) => entryId));
    if (entryIds.size < 2) continue;
    const counted = countedOf(first, entryIds, files, log);
    if (!listTokens(first.tokens).every((count, index) => 2n * count <= (counted[index] ?? 0n)))
      continue;
    findings.add(
      first.sessionId,
      difference('counted_twice', 1, {
        kind: 'tool',
        entryId: last.entryId,
        file: files.sessions.get(first.sessionId)?.files[0]?.path ?? first.sessionId,
        inFiles: `what ${first.entryId} says of the same run`,
      }),
    );
  }
}

/** What counts of these results, and of the subagents' sessions up to as much as one says. */
function countedOf(
  { sessionId, tokens }: SpentResult,
  entryIds: ReadonlySet<string>,
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
    return (rests[index] ?? 0n) + (own < said ? own : said);
  });
}

function restsOf(session: LogSession | undefined, entryIds: ReadonlySet<string>): Figures[] {
  const groups = session === undefined ? [] : restsOfGroups(session.book);
  return groups.flatMap(({ claims, rests }) =>
    rests.filter((_, index) => entryIds.has(claims[index]?.entryId ?? '')),
  );
}

function totalOf(session: LogSession | undefined): Figures {
  return session === undefined ? noFigures() : totalIn(countedByKind(session.sums, session.book));
}

function listTokens({ input, output, cacheRead, cacheWrite }: SpentResult['tokens']) {
  return [input, output, cacheRead, cacheWrite].map(BigInt);
}

function listCounts(figures: Figures): readonly bigint[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = figures;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens];
}
