/**
 * Jobs and results of reading sources, and what a parser needs. Jobs and results are plain data
 * that goes to workers and back.
 */
import type { Contents } from '@pi-ledger/core/content/contents';
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { Guesser } from '../attribution.ts';
import type { IssueList } from '../issues.ts';
import type { AnswerClaim, FileClaim, FileProofs, ProvenTie } from '../proofs.ts';

/** A source to read, and what others prove about its session. */
export interface ReadJob {
  readonly path: string;
  /** Absent: the file at `path` alone. */
  readonly files?: readonly string[];
  /** Its importer's name. */
  readonly importer: string;
  /** Where the last scan ended; null: read from the start. */
  readonly from: Bookmark | null;
  /** The session's parent, if other files revealed it after this file was read. */
  readonly claimedBy: SubagentParent | null;
  /** Another session was taken for its parent before, but a nearer one claims it too. */
  readonly isClaimedAnew?: boolean;
  readonly alsoClaimedBy?: readonly AnswerClaim[];
  readonly ties?: readonly ProvenTie[];
  /** Names of entries that are private in the session that they were copied from. */
  readonly privateCopies?: readonly string[];
}

/**
 * Where reading ended, and what is needed to continue from there, which its importer alone reads.
 * It is kept as JSON.
 */
export interface Bookmark {
  /** Lines that need not be read again, and neither do their issues; 0 when all is read anew. */
  readonly lines: number;
  /** The session of the source. */
  readonly header: Pick<Header, 'id' | 'timeMs' | 'parentSession'>;
  readonly standing: FileProofs;
}

export interface ReadResult {
  /** The source's stamp when reading began; null when it could not be opened. */
  readonly stamp: string | null;
  /**
   * It is null when nothing could be imported, and for a source that holds no session or several.
   */
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

/** What a parser is given, one for each thread. */
export interface ReaderSetup {
  readonly guesser: Guesser;
  /** The path of a session's file, by the id in its name. */
  fileOf(sessionId: string): string | undefined;
  /** They are loaded already; null unless texts of summaries are imported. */
  readonly contents: Contents | null;
  /** The latest time that the log accepts, as in events. */
  readonly latestTime: string;
  /** To be called with the length of each line read. */
  collectGarbage(lineBytes: number): void;
}
