/**
 * Finds answers that one session claims and another recorded, but which nobody accounts for: they
 * count twice. Reads the log only when there are such claims.
 */
import { isResponse } from './claim-book.ts';
import { difference } from './difference.ts';
import { responseKeyOf } from './files/tool-claims.ts';
import { type Json, jsonObject } from './files/usage-figures.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

export async function reportUnaccounted(log: LogFacts, findings: Findings): Promise<void> {
  const claimants = claimantsIn(log);
  if (claimants.size === 0) return;
  const twice = new Map<
    string,
    { readonly sessionId: string; readonly by: string; count: number }
  >();
  for await (const { event } of log.rows()) {
    const by = String(event.subject);
    for (const sessionId of claimants.get(keyOfTurn(event) ?? '') ?? []) {
      if (sessionId === by) continue;
      const pair = JSON.stringify([sessionId, by]);
      const found = twice.get(pair) ?? { sessionId, by, count: 0 };
      found.count += 1;
      twice.set(pair, found);
    }
  }
  for (const { sessionId, by, count } of twice.values())
    findings.add(
      sessionId,
      difference('claim_differs', count, {
        otherSessionId: by,
        inLog: 'the subagent recorded it too, so it counts twice',
      }),
    );
}

/** Claimants by key, for answers that nobody accounts for. */
function claimantsIn({ sessions }: LogFacts): ReadonlyMap<string, readonly string[]> {
  const claimants = new Map<string, string[]>();
  for (const [sessionId, { book }] of sessions) {
    for (const { claimKey, reported } of book.claims) {
      if (claimKey === null || !reported || !isResponse(claimKey) || book.answers.has(claimKey))
        continue;
      claimants.set(claimKey, [...(claimants.get(claimKey) ?? []), sessionId]);
    }
  }
  return claimants;
}

function keyOfTurn({ type, data }: Json): string | null {
  if (type !== 'pi.turn.completed.v1') return null;
  const { requestedAtMs, spend } = jsonObject(data) ?? {};
  const { responseId, rawUsage } = jsonObject(spend) ?? {};
  return responseKeyOf({ responseId, timestamp: requestedAtMs, usage: rawUsage });
}
