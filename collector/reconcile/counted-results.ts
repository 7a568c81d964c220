/** What counts of tool results and of sessions, to be compared with what results say. Pure. */
import { restsOfGroups } from './claims.ts';
import { countedByKind, totalIn } from './counted.ts';
import { type Figures, noFigures } from './figures.ts';
import type { SpentResult } from './files/result-ties.ts';
import type { LogSession } from './log-facts.ts';

export function restsOf(session: LogSession | undefined, entryIds: ReadonlySet<string>): Figures[] {
  const groups = session === undefined ? [] : restsOfGroups(session.book);
  return groups.flatMap(({ claims, rests }) =>
    rests.filter((_, index) => entryIds.has(claims[index]?.entryId ?? '')),
  );
}

export function totalOf(session: LogSession | undefined): Figures {
  return session === undefined ? noFigures() : totalIn(countedByKind(session.sums, session.book));
}

export function listTokens({ input, output, cacheRead, cacheWrite }: SpentResult['tokens']) {
  return [input, output, cacheRead, cacheWrite].map(BigInt);
}

export function listCounts(figures: Figures): readonly bigint[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = figures;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens];
}
