/** What was deleted on purpose: up to when, and what can be said of it. */

import type { Ask } from './ask.ts';
import type { ClaimBook } from './claims.ts';
import { totalOf } from './counted.ts';
import { difference } from './difference.ts';
import { countNames, noFigures } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';
import type { ReasonCode } from './reasons.ts';
import type { ViewFacts } from './view-facts.ts';

/** ms since 1970; records of an earlier time are compared with nothing. 0: nothing was deleted. */
export async function readFloorMs(ask: Ask): Promise<number> {
  const answer = (await ask('/v1/seal')) as { readonly floor?: string | null } | undefined;
  const floor = answer?.floor ?? null;
  return floor === null ? 0 : Date.parse(floor);
}

/** Such a difference of a session with deleted records may come from them. */
const mayBeSealed: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['view_differs', 'claim_differs']);

/**
 * Views that have more than the log may have it from deleted records. With less than the log still
 * has they are wrong all the same; only claims, of which deleted records may have accounted for
 * some, can make them less.
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
  for (const { sessionId, sealedUnits } of sessions.values()) {
    if (sealedUnits > 0) findings.add(sessionId, difference('sealed', sealedUnits));
  }
}

function lacksRecords(inLog: LogSession | undefined, inViews = noFigures()): boolean {
  if (inLog === undefined || !isEmpty(inLog.book)) return false;
  const least = totalOf(inLog.sums.byKind);
  return (
    inViews.nanoUsd < least.nanoUsd ||
    countNames.some((name) => Number(inViews[name]) < Number(least[name]))
  );
}

function isEmpty({ claims, sums, answers }: ClaimBook): boolean {
  return claims.length + sums.size + answers.size === 0;
}
