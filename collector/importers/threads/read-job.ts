/**
 * What a reader of session files is asked, what it answers, and what it needs for that. Jobs and
 * answers are plain data: they go to workers and back.
 */
import type { Contents } from '@pi-ledger/extension/content/contents';
import type { Header } from '@pi-ledger/extension/record/entry';
import type { SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import type { ImporterName } from '../importer.ts';
import type { IssueList } from '../issues.ts';
import type { Guesser } from '../session/attribution.ts';
import type { AnswerClaim, ReaderState } from '../session/entry-recorder.ts';
import type { Lineage } from '../session/lineage.ts';

export interface ReadJob {
  readonly path: string;
  readonly importer: ImporterName;
  /** Where the last pass ended; null: from the start. */
  readonly from: Bookmark | null;
  /**
   * The session that it is a subagent of, where that became known from other files after it was
   * read.
   */
  readonly claimedBy: SubagentParent | null;
  /** Another session had been taken for its parent: a nearer one claims it too. */
  readonly isClaimedAnew?: boolean;
  readonly alsoClaimedBy?: readonly AnswerClaim[];
}

/** Where reading ended, and what is needed to go on from there. */
export interface Bookmark {
  readonly offset: number;
  readonly lines: number;
  readonly proof: string;
  readonly header: Header;
  readonly standing: ReaderState;
}

export interface ReadResult {
  /** The file as it was when reading began; null when it could not be opened. */
  readonly stamp: string | null;
  /** Null for a file of which nothing could be made. */
  readonly bookmark: Bookmark | null;
  /** There was something in it, or the file could not be read, and nothing could be made of it. */
  readonly isFailed: boolean;
  readonly bytes: number;
  /** False when the file was read from its start. */
  readonly wentOn: boolean;
  readonly issues: IssueList;
  /**
   * When to read it again although nothing has changed: it tells of a time that is too far ahead.
   * Null: not.
   */
  readonly againAtMs: number | null;
  /** Answers that this file's tool results repeat of subagents. */
  readonly claims: readonly FileClaim[];
}

export interface FileClaim {
  /** `response:<16 hex>`, or `agent:<name>`, which is known by the file that it stands in. */
  readonly key: string;
  /** Its event: copies of a tool result claim the same. */
  readonly claimId: string;
  /** The session of the file. */
  readonly holder: string;
  /** The session that it counts in. */
  readonly sessionId: string;
  readonly turnEntryId: string;
  /** When that turn was answered: whom it called began after that. */
  readonly turnAt: string | null;
  /**
   * Of the tool result. A subagent's own tool result comes before that of its parent, which repeats
   * it.
   */
  readonly time: string;
  /** The file is no fork: it holds no copies. */
  readonly isCertain: boolean;
}

export interface ReaderSetup {
  readonly lineage: Lineage;
  readonly guesser: Guesser;
  /** Null unless texts of summaries are taken in. Loading is over. */
  readonly contents: Contents | null;
  /** The latest time that the log takes, as events have it. */
  readonly latestTime: string;
  /** Is told of each line that was read, by its length. */
  collectGarbage(lineBytes: number): void;
}
