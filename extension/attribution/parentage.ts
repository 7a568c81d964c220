/**
 * Whose subagent a session is, as the running host shows it.
 *
 * omp runs subagents in their parent's process, and their file paths tell the parent. The subagents
 * of a session without a file have files in a temporary directory that tells nothing. Such a
 * session claims nothing for its subagents (record/claim.ts), so nothing needs to be accounted for;
 * its id is taken from the one open session without a file. Packages of pi run subagents in their
 * parent's process too: such a session is known by who started it (live/starter.ts). Any other
 * subagent is a process that its parent informed through the environment, or a session that lies
 * below its parent's (record/placed-below.ts). What a header alone says makes no subagent.
 */

import type { Header } from '../../core/record/entry.ts';
import type { SubagentParent } from '../../core/record/entry-draft.ts';
import { sessionRef } from '../../core/record/link.ts';
import { parentAbove } from '../../core/record/placed-below.ts';
import { parentOfFile, turnKey } from '../../core/record/subagent.ts';

export interface Parentage {
  /** The parent that the session's answers are accounted to. */
  readonly parent: SubagentParent | null;
  /** Also set when nothing is accounted. */
  readonly parentSessionId: string | null;
  readonly kind: 'none' | 'in-process' | 'child-process';
}

/** A session that this process knows. */
export interface OpenSession {
  readonly id: string;
  readonly file: string | null;
  readonly isOver: boolean;
}

export function findParentage(options: {
  readonly file: string | null;
  readonly header: Header | null;
  /** From a `session_init` entry, which only omp's subagents have. */
  readonly agentName: string | null;
  /** Least recently used first. */
  readonly sessions: readonly OpenSession[];
  /** The session of this process that started it. */
  readonly starter: { readonly sessionId: string; readonly turnEntryId: string | null } | null;
  /** What the environment said when this process started. */
  readonly ofProcess: SubagentParent | null;
  headerOfFile(file: string): Header | null;
}): Parentage {
  const { file, header, agentName, sessions, starter, ofProcess } = options;
  const byFile = file === null ? null : parentOfFile(file, header);
  if (byFile !== null) {
    const sessionId =
      byFile.parentSessionId ??
      sessions.find((session) => session.file === byFile.parentFile)?.id ??
      null;
    return {
      parent: sessionId === null ? null : { sessionId, key: byFile.key },
      parentSessionId: sessionId,
      kind: 'in-process',
    };
  }
  const unkept =
    agentName === null
      ? undefined
      : sessions.findLast((session) => session.file === null && !session.isOver);
  if (unkept !== undefined) return { parent: null, parentSessionId: unkept.id, kind: 'in-process' };
  if (starter !== null && header !== null) {
    const { sessionId, turnEntryId } = starter;
    const key = turnEntryId === null ? sessionRef(header.id) : turnKey(turnEntryId);
    return ofParent({ sessionId, key }, 'in-process');
  }
  if (ofProcess !== null) return ofParent(ofProcess, 'child-process');
  return placedBelow(options) ?? noParent;
}

function ofParent(parent: SubagentParent, kind: Parentage['kind']): Parentage {
  return { parent, parentSessionId: parent.sessionId, kind };
}

/** Returns null for an ordinary session, of which no other file is read. */
function placedBelow({
  file,
  header,
  sessions,
  headerOfFile,
}: Parameters<typeof findParentage>[0]): Parentage | null {
  if (file === null || header === null) return null;
  const found = parentAbove(file, header, headerOfFile);
  if (found === null || found.parentSessionId === null) return null;
  const { parentSessionId: sessionId, key } = found;
  const isHere = sessions.some(({ id, isOver }) => id === sessionId && !isOver);
  return ofParent({ sessionId, key }, isHere ? 'in-process' : 'child-process');
}

const noParent: Parentage = { parent: null, parentSessionId: null, kind: 'none' };
