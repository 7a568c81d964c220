/**
 * Whose subagent a session is, as the running host shows it.
 *
 * omp runs subagents in the process of their parent, and their files tell whose they are. The
 * subagents of a session without a file have one in a temporary directory that tells nothing; such
 * a session claims nothing of them (record/claim.ts), so that nothing needs to be accounted for,
 * and its id is taken from the one session without a file that is open. Any other subagent is a
 * process that was told by its parent.
 */

import type { Header } from '../record/entry.ts';
import type { SubagentParent } from '../record/entry-draft.ts';
import { parentOfFile } from '../record/subagent.ts';

export interface Parentage {
  /** What the session's answers are accounted under. */
  readonly parent: SubagentParent | null;
  /** Also where nothing is accounted. */
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
  /** As a `session_init` entry gives it, which only omp's subagents have. */
  readonly agentName: string | null;
  /** Oldest use first. */
  readonly sessions: readonly OpenSession[];
  /** What this process was told when it started. */
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
