/**
 * Jobs and results of a reader of session files, and what it needs. Jobs and results are plain data
 * that goes to workers and back.
 */
import type { Contents } from '@pi-ledger/core/content/contents';
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { ImporterName } from '../importer.ts';
import type { IssueList } from '../issues.ts';
import type { Guesser } from '../session/attribution.ts';
import type { Lineage } from '../session/lineage.ts';
import type { AnswerClaim, ReaderState, ResultTie } from '../session/reader-state.ts';

export interface ReadJob {
  readonly path: string;
  readonly importer: ImporterName;
  /** Where the last scan ended; null: read from the start. */
  readonly from: Bookmark | null;
  /** The session's parent, if other files revealed it after this file was read. */
  readonly claimedBy: SubagentParent | null;
  /** Another session was taken for its parent before, but a nearer one claims it too. */
  readonly isClaimedAnew?: boolean;
  readonly alsoClaimedBy?: readonly AnswerClaim[];
  readonly ties?: readonly ResultTie[];
  /** Names of entries that are private in the session that they were copied from. */
  readonly privateCopies?: readonly string[];
}

/** Where reading ended, and what is needed to continue from there. */
export interface Bookmark {
  readonly offset: number;
  readonly lines: number;
  readonly proof: string;
  readonly header: Header;
  readonly standing: ReaderState;
}

export interface ReadResult {
  /** The file's stamp when reading began; null when it could not be opened. */
  readonly stamp: string | null;
  /** Null when nothing in the file could be imported. */
  readonly bookmark: Bookmark | null;
  /** The file was unreadable, or had content but nothing to import. */
  readonly isFailed: boolean;
  readonly bytes: number;
  /** False when the file was read from its start. */
  readonly wentOn: boolean;
  readonly issues: IssueList;
  /**
   * When to read it again even if unchanged, because it has a time too far ahead; null for never.
   */
  readonly againAtMs: number | null;
  /** Subagents' answers that this file's tool results claim. */
  readonly claims: readonly FileClaim[];
}

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

export interface ReaderSetup {
  readonly lineage: Lineage;
  readonly guesser: Guesser;
  /** The path of a session's file, by the id in its name. */
  fileOf(sessionId: string): string | undefined;
  /** Null unless texts of summaries are imported. Already loaded. */
  readonly contents: Contents | null;
  /** The latest time that the log accepts, as in events. */
  readonly latestTime: string;
  /** Called with the length of each line read. */
  collectGarbage(lineBytes: number): void;
}
