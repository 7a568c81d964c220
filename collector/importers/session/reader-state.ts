/** What is remembered of a session file to continue reading it. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Header } from '@pi-ledger/core/record/entry';
import type { Privacy } from '@pi-ledger/core/record/privacy';
import type { FileProofs } from '../proofs.ts';
import type { Bookmark } from '../threads/read-job.ts';
import type { SavedPathState } from './path-states.ts';

/** Where reading a session file ended. */
export interface SessionBookmark extends Bookmark {
  readonly offset: number;
  readonly proof: string;
  readonly header: Header;
  readonly standing: ReaderState;
}

/** Everything needed to continue after the last entry read. */
export interface ReaderState extends FileProofs {
  readonly places: readonly SavedPathState[];
  readonly utcOffsetMinutes: number | null;
  /** Whether an entry of the session's own was read; copies only precede these. */
  readonly hasOwn: boolean;
  /** The name of the subagent, once the file has told it; absent before. */
  readonly agentName?: string;
  /** Whether what follows is private; absent if not. */
  readonly privacy?: Privacy;
  /** What the session begins with, while nothing makes it known; absent afterwards. */
  readonly held?: readonly EventDraft[];
}
