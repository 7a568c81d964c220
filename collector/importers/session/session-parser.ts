/** What a parser of one session file offers to its reader, and needs. */
import type { Issues } from '../issues.ts';
import type { FileClaim } from '../proofs.ts';
import type { EventBatch } from '../threads/batches.ts';
import type { ReaderSetup } from '../threads/read-job.ts';
import type { FileLineage } from './lineage.ts';
import type { SessionBookmark } from './reader-state.ts';
import type { TextLine } from './session-file.ts';

/** What reading session files of one agent needs. */
export interface SessionReaderSetup extends ReaderSetup {
  readonly lineage: FileLineage;
  readonly unpricesCopies: boolean;
}

export interface SessionParser {
  readonly issues: Issues;
  readonly claims: readonly FileClaim[];
  /** Bytes of the lines taken. */
  readonly bytes: number;
  /** The position after the last line that need not be read again. */
  readonly position: { readonly offset: number; readonly lines: number };
  /** When a held event can be taken; null when none is held. */
  readonly againAtMs: number | null;
  /** Whether the file is blank or none of a session, so that there is nothing to import. */
  readonly isPassedOver: boolean;
  take(line: TextLine): TakenLine;
  /** A full batch, or null. */
  full(): EventBatch | null;
  /** Everything left, after the last line. */
  finish(): EventBatch;
  /** Returns null while nothing in the file could be imported. */
  result(): Pick<SessionBookmark, 'header' | 'standing'> | null;
}

/**
 * `again`: an entry is below one that was read long before, so the file has to be read from its
 * start.
 */
export type TakenLine = 'next' | 'again' | 'give up';
