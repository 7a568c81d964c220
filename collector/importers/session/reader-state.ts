/** What is remembered of a session file to continue reading it, and who claims its answers. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { Privacy } from '@pi-ledger/core/record/privacy';
import type { SavedPathState } from './path-states.ts';
import type { AwaitedParent } from './placed-subagent.ts';
import type { SavedRuns } from './run-sums.ts';

/** Everything needed to continue after the last entry read. */
export interface ReaderState {
  readonly places: readonly SavedPathState[];
  readonly utcOffsetMinutes: number | null;
  /** Whether an entry of the session's own was read; copies only precede these. */
  readonly hasOwn: boolean;
  /** The key under which a parent may claim this session's first own answer. */
  readonly firstAnswer: string | null;
  /** The same for sessions whose entries were copied. */
  readonly copiedAnswers: readonly CopiedAnswer[];
  /** The parent of a subagent whose file lies beside its parent's. */
  readonly placedParent: SubagentParent | null;
  /** The parent of a subagent, which only a file that does not exist yet can name. */
  readonly awaitedParent: AwaitedParent | null;
  /** The name of the subagent, once the file has told it; absent before. */
  readonly agentName?: string;
  /** Of a session that names a parent and copied nothing: whom a tool result may be about. */
  readonly runs?: SavedRuns;
  /** Whether what follows is private; absent if not. */
  readonly privacy?: Privacy;
  /** What the session begins with, while nothing makes it known; absent afterwards. */
  readonly held?: readonly EventDraft[];
}

export interface CopiedAnswer {
  readonly sessionId: string;
  readonly key: string;
  /** When its first answer was written. */
  readonly beganAt: string;
  /** What a tool result may say of that session, which may be a subagent whose file is gone. */
  readonly sums: readonly string[];
}

/**
 * Claims the session that this answer is the first one of; without an answer, the file's own
 * session.
 */
export interface AnswerClaim {
  readonly firstAnswer: string | null;
  readonly parent: SubagentParent;
}

/** A tool result that is about the session: its usage equals what a run of the session spent. */
export interface ResultTie {
  /** The session of the tool result. */
  readonly sessionId: string;
  readonly entryId: string;
  readonly time: string;
}
