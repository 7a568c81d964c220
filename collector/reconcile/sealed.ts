/** History that was deleted on purpose: up to when, and which differences that explains. */

import type { AskCollector } from './ask.ts';
import type { ClaimBook } from './claim-book.ts';
import { totalIn } from './counted.ts';
import { difference } from './difference.ts';
import { countNames, noFigures } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';
import type { ReasonCode } from './reasons.ts';
import type { ViewFacts } from './view-facts.ts';

/** Milliseconds since 1970; earlier records are not compared. 0: nothing was deleted. */
export async function readFloorMs(ask: AskCollector): Promise<number> {
  const answer = (await ask('/v1/seal')) as { readonly floor?: string | null } | undefined;
  const floor = answer?.floor ?? null;
  return floor === null ? 0 : Date.parse(floor);
}

/** In a session with deleted records, these differences may result from the deletion. */
const mayBeSealed: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['view_differs', 'claim_differs']);

/**
 * Deleted records explain views that have more than the log. Views with less than the log are wrong
 * all the same, unless there are claims, which deleted records may have accounted for.
 */
export function excuseSealed(
  { sessions }: FileFacts,
  log: LogFacts,
  views: ViewFacts,
  findings: Findings,
): void {
  for (const sessionId of [...findings.sessions()]) {
    const sealedUnits = sessions.get(sessionId)?.sealedUnits ?? 0;
    if (sealedUnits === 0 && !views.begunBeforeFloor.has(sessionId)) continue;
    findings.replace(sessionId, (found) => {
      if (
        !mayBeSealed.has(found.reason) ||
        lacksRecords(log.sessions.get(sessionId), views.bySession.get(sessionId))
      )
        return found;
      const { reason: _, explained: __, count, ...where } = found;
      return difference('sealed', count, where);
    });
  }
}

function lacksRecords(inLog: LogSession | undefined, inViews = noFigures()): boolean {
  if (inLog === undefined || !isEmpty(inLog.book)) return false;
  const least = totalIn(inLog.sums.byKind);
  return (
    inViews.nanoUsd < least.nanoUsd ||
    countNames.some((name) => Number(inViews[name]) < Number(least[name]))
  );
}

function isEmpty({ claims, sums, answers }: ClaimBook): boolean {
  return claims.length + sums.size + answers.size === 0;
}
