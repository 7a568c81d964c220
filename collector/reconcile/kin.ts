/**
 * Sessions that may count what belongs to another one: those that hold copies of each other's
 * entries, or name each other as parents, and those whose tools may claim a subagent's answers.
 * Pure.
 */
import type { FileFacts } from './files/file-facts.ts';
import { sessionIdInName } from './files/file-header.ts';
import type { FileSession } from './files/file-session.ts';

export interface Kin {
  /** All that copies and parents lead to, with the session itself; some may have no file. */
  familyOf(sessionId: string): ReadonlySet<string>;
  /** Those that may claim what it spent. */
  claimersOf(sessionId: string): ReadonlySet<string>;
}

type KinFacts = Pick<FileFacts, 'sessions' | 'children' | 'sealedRepeaters'>;

export function createKin({ sessions, children, sealedRepeaters }: KinFacts): Kin {
  const next = new Map<string, Set<string>>();
  const link = (from: string, to: string) => {
    next.set(from, (next.get(from) ?? new Set()).add(to));
  };
  for (const session of sessions.values()) {
    for (const other of [...session.copies.keys(), ...listParents(session)]) {
      link(session.sessionId, other);
      link(other, session.sessionId);
    }
  }
  const placed = Map.groupBy(children, ({ sessionId }) => sessionId);

  return {
    familyOf(sessionId) {
      const family = new Set([sessionId]);
      // A set is iterated in the order of adding, with what is added meanwhile.
      for (const member of family) for (const other of next.get(member) ?? []) family.add(other);
      return family;
    },
    claimersOf(sessionId) {
      const session = sessions.get(sessionId);
      const claimers = new Set([
        ...(placed.get(sessionId) ?? []).map(({ parentSessionId }) => parentSessionId),
        ...(sealedRepeaters.get(sessionId) ?? []),
        ...(session === undefined ? [] : listParents(session)),
      ]);
      claimers.delete(sessionId);
      return claimers;
    },
  };
}

/** As their headers name them. */
function listParents({ files }: FileSession): readonly string[] {
  return files.flatMap(({ header: { parentSession } }) =>
    parentSession === null ? [] : [sessionIdInName(parentSession) ?? parentSession],
  );
}
