/** What the recorder of one file's entries is given. */
import type { Contents } from '@pi-ledger/core/content/contents';
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { Guesser } from '../attribution.ts';
import type { AnswerClaim, ProvenTie } from '../proofs.ts';
import type { FileLineage } from './lineage.ts';
import type { ReaderState } from './reader-state.ts';

export interface EntryRecorderOptions {
  readonly path: string;
  readonly header: Header;
  /** False for a header made from the file's name. */
  readonly isHeaderRead: boolean;
  /** The importer's name. */
  readonly importer: string;
  /** Whether the agent copies answers without their prices. */
  readonly unpricesCopies: boolean;
  readonly lineage: FileLineage;
  readonly guesser: Guesser;
  readonly contents: Contents | null;
  /** The session's parent, if other files revealed it after this file was read. */
  readonly claimedBy: SubagentParent | null;
  readonly isClaimedAnew?: boolean;
  /**
   * Other sessions with a claim of the same answers. They get the same accounts, so that none of
   * them counts what counts here.
   */
  readonly alsoClaimedBy?: readonly AnswerClaim[];
  /** Tool results that turned out to be about the session. */
  readonly ties?: readonly ProvenTie[];
  /** Names of entries that are private in the session that they were copied from. */
  readonly privateCopies?: readonly string[];
  /** It is null when reading from the start. */
  readonly standing: ReaderState | null;
}
