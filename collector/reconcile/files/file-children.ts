/**
 * Subagents that have session files, and who may claim them. Pure.
 *
 * Where a file stands tells its parent. The parent's file may be gone, and a fork may hold what it
 * claimed, as an entry of its own if the clock had been set back: then name and time tell, since a
 * subagent begins while the turn goes on that claims it.
 */
import { parentFileOf, type SessionFile } from './session-files.ts';

/** A subagent's session, and one that claims it. */
export interface FileChild {
  readonly sessionId: string;
  readonly parentSessionId: string;
  /** `agent:<name>` */
  readonly claimKey: string;
}

/** A claim of a subagent by its name. */
export interface NamedClaim {
  readonly claimKey: string;
  /** Who claims it. */
  readonly sessionId: string;
  /** When the answer was written that called the subagent; null where that is not known. */
  readonly turnAtMs: number | null;
  readonly timeMs: number;
}

interface Holder {
  readonly files: readonly SessionFile[];
}

export function childrenOf(
  files: readonly SessionFile[],
  sessions: ReadonlyMap<string, Holder>,
  claims: readonly NamedClaim[],
): readonly FileChild[] {
  const byPath = new Map(files.map(({ path, header }) => [path, header.sessionId]));
  const byKey = Map.groupBy(claims, ({ claimKey }) => claimKey);
  const children = files.flatMap(({ path, header }) => {
    const { sessionId } = header;
    const parent = parentFileOf(path);
    const claimKey = `agent:${parent.agentName}`;
    const named = /_([^_/\\]+)\.jsonl$/.exec(parent.path)?.[1] ?? '';
    const placed = byPath.get(parent.path) ?? (sessions.has(named) ? named : null);
    const callers = (byKey.get(claimKey) ?? [])
      .filter(({ turnAtMs, timeMs }) => (turnAtMs ?? 0) <= header.timeMs && header.timeMs <= timeMs)
      .map((claim) => claim.sessionId)
      .filter((caller) => caller !== sessionId && (placed === null || isFork(sessions, caller)));
    const parents = new Set(placed === null ? callers : [placed, ...callers]);
    return [...parents].map((parentSessionId) => ({ sessionId, parentSessionId, claimKey }));
  });
  return [...new Map(children.map((child) => [JSON.stringify(child), child])).values()];
}

function isFork(sessions: ReadonlyMap<string, Holder>, sessionId: string): boolean {
  return (
    sessions.get(sessionId)?.files.some(({ header }) => header.parentSession !== null) === true
  );
}
