/**
 * Finds subagents whose parent does not claim them, while another session has a counted claim of
 * that name: a fork may hold the parent's claim while the parent is gone. Then both count, and
 * which one is right is unknown. Reads the log only when such claims count.
 */
import { computeRests } from './claims.ts';
import { difference } from './difference.ts';
import { isNamedAncestor } from './files/ancestors.ts';
import type { FileFacts } from './files/file-facts.ts';
import { type Json, jsonObject } from './files/usage-figures.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

export async function reportStrayChildren(
  log: LogFacts,
  files: Pick<FileFacts, 'sessions'>,
  findings: Findings,
): Promise<void> {
  const claims = countedClaims(log);
  if (claims.length === 0) return;
  const { children, turnsAt } = await readChildren(log, claims);
  for (const { sessionId, key, turnEntryId, timeMs } of claims) {
    const turnAtMs = turnsAt.get(turnEntryId ?? '') ?? 0;
    const strays = (children.get(key) ?? []).filter(
      (child) =>
        child.sessionId !== sessionId &&
        !child.parents.has(sessionId) &&
        ((turnAtMs <= child.firstMs && child.firstMs <= timeMs) ||
          [...child.parents].some((parent) => isNamedAncestor(files, sessionId, parent))) &&
        [...child.parents].every((parent) => !claimsOne(log, parent, key)),
    );
    for (const { sessionId: otherSessionId } of strays)
      findings.add(
        sessionId,
        difference('claim_differs', 1, {
          otherSessionId,
          kind: `claim ${key}`,
          inLog: 'a subagent of that name may have recorded the same, so that both count',
        }),
      );
  }
}

interface CountedClaim {
  readonly sessionId: string;
  readonly key: string;
  readonly turnEntryId: string | null;
  readonly timeMs: number;
}

/** Claims by subagents' names that count. */
function countedClaims({ sessions }: LogFacts): readonly CountedClaim[] {
  return [...sessions].flatMap(([sessionId, { book }]) => {
    if (!book.claims.some(({ claimKey }) => isName(claimKey))) return [];
    const counted = computeRests(book);
    return book.claims.flatMap(({ claimKey: key, turnEntryId, timeMs }) =>
      isName(key) && counted.has(key) ? [{ sessionId, key, turnEntryId, timeMs }] : [],
    );
  });
}

function isName(key: string | null): key is string {
  return key?.startsWith('agent:') === true;
}

interface Child {
  readonly sessionId: string;
  /** The sessions that it accounts for its answers to. */
  readonly parents: Set<string>;
  /** When it began or first answered. */
  firstMs: number;
}

/** Finds the subagents of each claimed name, and when the claiming turns were answered. */
async function readChildren(log: LogFacts, claims: readonly CountedClaim[]) {
  const keys = new Set(claims.map(({ key }) => key));
  const turns = new Set(claims.map(({ turnEntryId }) => turnEntryId));
  const children = new Map<string, Map<string, Child>>();
  const turnsAt = new Map<string, number>();
  const note = (key: string, sessionId: string, timeMs: number): Child | null => {
    if (!keys.has(key) || !hasSpent(log, sessionId)) return null;
    const named = children.get(key) ?? new Map<string, Child>();
    const child = named.get(sessionId) ?? { sessionId, parents: new Set(), firstMs: timeMs };
    child.firstMs = Math.min(child.firstMs, timeMs);
    children.set(key, named.set(sessionId, child));
    return child;
  };
  for await (const { event } of log.rows()) {
    const data = jsonObject(event.data) ?? {};
    const timeMs = Date.parse(String(event.time));
    if (event.type === 'pi.turn.completed.v1' && turns.has(String(data.entryId)))
      turnsAt.set(String(data.entryId), timeMs);
    for (const key of keysIn(event, data)) {
      const isAccount = event.type === 'pi.subagent.accounted.v1';
      const child = note(key, String(isAccount ? data.childSessionId : event.subject), timeMs);
      if (isAccount) child?.parents.add(String(event.subject));
    }
  }
  return {
    children: new Map([...children].map(([key, named]) => [key, [...named.values()]])),
    turnsAt,
  };
}

/** The names that an account or an attribution gives a subagent. */
function keysIn({ type }: Json, { keys, agent }: Json): readonly string[] {
  if (type === 'pi.subagent.accounted.v1') return Array.isArray(keys) ? keys.map(String) : [];
  if (type !== 'pi.session.attributed.v1') return [];
  const { kind, name } = jsonObject(agent) ?? {};
  return kind === 'subagent' && typeof name === 'string' ? [`agent:${name}`] : [];
}

function hasSpent({ sessions }: LogFacts, sessionId: string): boolean {
  return (sessions.get(sessionId)?.sums.byKind.get('turn')?.records ?? 0n) > 0n;
}

function claimsOne({ sessions }: LogFacts, sessionId: string, key: string): boolean {
  return sessions.get(sessionId)?.book.claims.some(({ claimKey }) => claimKey === key) === true;
}
