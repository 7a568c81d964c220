/**
 * Whose subagent a session is, as the running host shows it.
 *
 * omp runs subagents in their parent's process, and their file paths tell the parent. The subagents
 * of a session without a file have files in a temporary directory that tells nothing. Such a
 * session claims nothing for its subagents (record/claim.ts), so nothing needs to be accounted for;
 * its id is taken from the one open session without a file. Any other subagent is a process that
 * its parent informed through the environment.
 */

import type { Header } from '../record/entry.ts';
import type { SubagentParent } from '../record/entry-draft.ts';
import { parentOfFile } from '../record/subagent.ts';

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

export function parentageOf(options: {
  readonly file: string | null;
  readonly header: Header | null;
  /** From a `session_init` entry, which only omp's subagents have. */
  readonly agentName: string | null;
  /** Least recently used first. */
  readonly sessions: readonly OpenSession[];
  /** What the environment said when this process started. */
  readonly ofProcess: SubagentParent | null;
}): Parentage {
  const { file, header, agentName, sessions, ofProcess } = options;
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
  if (ofProcess !== null)
    return { parent: ofProcess, parentSessionId: ofProcess.sessionId, kind: 'child-process' };
  return noParent;
}

const noParent: Parentage = { parent: null, parentSessionId: null, kind: 'none' };
