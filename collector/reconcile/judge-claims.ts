/**
 * Compares what counts of subagents' claims: by the files alone, and by the log's claims and
 * accounts. Pure.
 */
import type { Accounted } from './accounted.ts';
import type { ClaimBook } from './claim-book.ts';
import { computeRests } from './claims.ts';
import { difference } from './difference.ts';
import { type Figures, sameFigures, sumAll, unitFigures } from './figures.ts';
import { figuresText } from './figures-text.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';

type Withdrawn = LogFacts['withdrawn'];

/** `differing`: sessions reported already, whose claims are not compared. */
export function judgeClaims(
  books: ReadonlyMap<string, ClaimBook>,
  log: LogFacts,
  differing: ReadonlySet<string>,
  findings: Findings,
): void {
  const overclaimed = new Set(overdrawn(log).filter((sessionId) => !differing.has(sessionId)));
  for (const sessionId of overclaimed) {
    findings.add(
      sessionId,
      difference('claim_differs', 1, { inLog: 'more is accounted for than the subagent recorded' }),
    );
  }
  for (const [sessionId, { book }] of log.sessions) {
    if (book.claims.length === 0) continue;
    const counted = computeRests(book);
    const ofFiles = books.get(sessionId);
    if (ofFiles !== undefined && !differing.has(sessionId))
      compare(
        sessionId,
        sumAll(computeRests(ofFiles).values()),
        sumAll(counted.values()),
        overclaimed.size > 0,
        findings,
      );
    const claims = book.claims.filter(({ claimKey }) => claimKey !== null && counted.has(claimKey));
    if (claims.length > 0) findings.add(sessionId, difference('subagent_claim', claims.length));
  }
}

/**
 * The log may count less than the files: it also knows subagents without a file, or whose file
 * names no parent.
 */
function compare(
  sessionId: string,
  byFiles: Figures,
  byLog: Figures,
  doubtful: boolean,
  findings: Findings,
): void {
  if (sameFigures(byFiles, byLog)) return;
  const said = { inFiles: figuresText(byFiles), inLog: figuresText(byLog) };
  const isLess =
    byLog.nanoUsd <= byFiles.nanoUsd && tokenNames.every((name) => byLog[name] <= byFiles[name]);
  findings.add(
    sessionId,
    difference(isLess && !doubtful ? 'subagent_claim' : 'claim_differs', 1, said),
  );
}

const tokenNames = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/**
 * Subagents that account for more than the log has of them (their own answers, tools and claims),
 * also of what was withdrawn: an account stays where a session is taken back.
 */
function overdrawn({ accountedByChild, sessions, withdrawn }: LogFacts): string[] {
  return [...accountedByChild].flatMap(([child, byKey]) => {
    const spent = spentBy(sessions.get(child), withdrawn.spentBy(child));
    return [...byKey].some(([key, accounted]) =>
      exceeds(accounted, key.includes(' beside:') ? spent.beside : spent.answered),
    )
      ? [child]
      : [];
  });
}

function spentBy(child: LogSession | undefined, withdrawn: ReturnType<Withdrawn['spentBy']>) {
  const claims = child?.book.claims.map(unitFigures) ?? [];
  const takenBack = withdrawn.map(({ kind, figures }) => [kind, figures] as const);
  const byKind = [...(child?.sums.byKind ?? []), ...takenBack];
  const isAnswered = (kind: string) => kind === 'turn' || kind === 'tool';
  const sumBy = (isMeant: (kind: string) => boolean) =>
    byKind.flatMap(([kind, figures]) => (isMeant(kind) ? [figures] : []));
  return {
    answered: sumAll([...sumBy(isAnswered), ...claims]),
    beside: sumAll(sumBy((kind) => !isAnswered(kind))),
  };
}

function exceeds(accounted: Accounted, spent: Figures): boolean {
  return (
    tokenNames.some((name) => accounted[name] > spent[name]) || accounted.nanoUsd > spent.nanoUsd
  );
}
