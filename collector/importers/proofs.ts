/**
 * What sources prove beside their events: whose parent is who, and which answers are the same. The
 * claims of one source and the answers of another meet in `imports.db` (progress/).
 */
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { SavedRuns } from './run-sums.ts';

/** What a source proves of the session that it holds. */
export interface FileProofs {
  /** The key under which a parent may claim this session's first own answer. */
  readonly firstAnswer: string | null;
  /** The same for sessions whose entries were copied. */
  readonly copiedAnswers: readonly CopiedAnswer[];
  /** The parent of a subagent whose file lies beside its parent's. */
  readonly placedParent: SubagentParent | null;
  /** The parent of a subagent, which only a file that does not exist yet can name. */
  readonly awaitedParent: AwaitedParent | null;
  /**
   * A tool result may be about these; only a session that names a parent and copied nothing has
   * them.
   */
  readonly runs?: SavedRuns;
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
 * The parent's file, whose header will give its id once it exists, and the parent's key for this
 * session.
 */
export interface AwaitedParent {
  readonly file: string;
  readonly key: string;
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
export interface ProvenTie {
  /** The session of the tool result. */
  readonly sessionId: string;
  readonly entryId: string;
  readonly time: string;
}

/** A tool result that says what others spent. */
export interface FileClaim {
  /**
   * `response:<16 hex>`; `agent:<name>`, which is unique only within its file; `session:` or
   * `file:` (record/link.ts); or `sum:` of a tool result that names nobody (run-sums.ts).
   */
  readonly key: string;
  /** The id of its event, the same for copies of the tool result; of a sum, the result's entry. */
  readonly claimId: string;
  /** The file's session. */
  readonly holder: string;
  /** The session in which it counts. */
  readonly sessionId: string;
  readonly turnEntryId: string;
  /** When that turn was answered; the subagents it called began later. */
  readonly turnAt: string | null;
  /**
   * The time of the tool result. A subagent's own tool result comes before its parent's, which
   * repeats it.
   */
  readonly time: string;
}

/** Answers that were given, and that this file alone shows. */
export interface StreamedAnswers {
  readonly sessionId: string;
  readonly answers: number;
}
