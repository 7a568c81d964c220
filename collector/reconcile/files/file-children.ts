/**
 * Subagents that have session files, and who may claim them. Pure.
 *
 * A file's path names its parent. The parent's file may be gone, and a fork may hold a copy of its
 * claim, which looks like the fork's own if the clock had been set back. So a session also claims
 * a subagent of the right name that began while the claiming turn was running.
 */
import { basename, dirname } from 'node:path';
import { sessionIdInName } from './file-header.ts';
import { findParentFile, type SessionFile } from './session-files.ts';

/** A subagent's session, and one that claims it. */
export interface FileChild {
  readonly sessionId: string;
  readonly parentSessionId: string;
  /** `agent:<name>`, or `session:<its id>` where no name says who claims it. */
  readonly claimKey: string;
}

/** A claim of a subagent by its name. */
export interface NamedClaim {
  readonly claimKey: string;
  /** The session that claims it. */
  readonly sessionId: string;
  /** When the answer that called the subagent was written; null when unknown. */
  readonly turnAtMs: number | null;
  readonly timeMs: number;
}

export function findChildren(
  files: readonly SessionFile[],
  sessions: ReadonlyMap<string, unknown>,
  claims: readonly NamedClaim[],
): readonly FileChild[] {
  const byPath: ReadonlyMap<string, string> = new Map(
    files.map(({ path, header }) => [path, header.sessionId]),
  );
  const byKey = Map.groupBy(claims, ({ claimKey }) => claimKey);
  const byLetters = Map.groupBy(claims, ({ claimKey }) => claimLetters(claimKey));
  const children = files.flatMap((file) => {
    const { path, header } = file;
    const { sessionId } = header;
    const above = isBelowName(path) ? parentAbove(file, byPath) : null;
    if (above !== null) return [above];
    const placed = parentByPlace(file, byPath, sessions);
    const claimKey = `agent:${findParentFile(path).agentName}`;
    const callers = (byKey.get(claimKey) ?? [])
      .filter(({ turnAtMs, timeMs }) => (turnAtMs ?? 0) <= header.timeMs && header.timeMs <= timeMs)
      .map((claim) => claim.sessionId)
      .filter((caller) => caller !== sessionId);
    const called = callers.map((parentSessionId) => ({ sessionId, parentSessionId, claimKey }));
    if (placed === null) return called;
    const alike = namesLike(claimKey, byLetters.get(claimLetters(claimKey)) ?? [], placed);
    const names = [claimKey, ...alike];
    return [
      ...names.map((name) => ({ sessionId, parentSessionId: placed, claimKey: name })),
      ...called,
    ];
  });
  return [...new Map(children.map((child) => [JSON.stringify(child), child])).values()];
}

/** The session whose file has the name of the folder. */
function parentByPlace(
  { path, header }: SessionFile,
  byPath: ReadonlyMap<string, string>,
  sessions: ReadonlyMap<string, unknown>,
): string | null {
  const parent = findParentFile(path).path;
  const named = sessionIdInName(parent) ?? '';
  const found = byPath.get(parent) ?? (sessions.has(named) ? named : null);
  return found === header.sessionId ? null : found;
}

/** `<time>_<id>` */
const sessionStem = /^\d{4}-\d\d-\d\dT[\d-]+Z_./;

/** Unless the file is omp's, which is named after its agent and lies right below. */
function isBelowName(path: string): boolean {
  const [name = '', folder = '', ...above] = path.split(/[\\/]/).toReversed();
  const isOmps = sessionStem.test(folder) && !sessionStem.test(name);
  return !isOmps && [folder, ...above].some((each) => sessionStem.test(each));
}

/** The nearest folder that is named like a session's file tells the parent. */
function parentAbove(
  { path, header }: SessionFile,
  byPath: ReadonlyMap<string, string>,
): FileChild | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const isNamed = sessionStem.test(basename(folder));
    const file = `${folder}.jsonl`;
    const parentSessionId = byPath.get(file) ?? (isNamed ? sessionIdInName(file) : null);
    if (parentSessionId !== null && parentSessionId !== header.sessionId)
      return {
        sessionId: header.sessionId,
        parentSessionId,
        claimKey: `session:${header.sessionId}`,
      };
    if (isNamed) return null;
  }
  return null;
}

/**
 * By which names the parent claims a subagent, when not by that of its file: a file system may
 * write a name in another Unicode form or case.
 */
function namesLike(
  claimKey: string,
  claims: readonly NamedClaim[],
  parent: string,
): readonly string[] {
  const names = new Set(
    claims.filter(({ sessionId }) => sessionId === parent).map((claim) => claim.claimKey),
  );
  return names.has(claimKey) ? [] : [...names];
}

function claimLetters(claimKey: string): string {
  return claimKey.normalize('NFD').toUpperCase();
}
