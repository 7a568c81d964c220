/** What all events from session entries have in common. */
import type { Content, EventData, EventTypeName, Sizes } from '@pi-ledger/contract';
import type { EventDraft } from './draft.ts';
import { type Entry, parseTimeMs } from './entry.ts';
import { type Dated, entryEventId, type Identity, plainIdentity } from './identity/event-id.ts';
import type { PathState } from './path-state.ts';

/** The session of an entry, from its header. */
export interface RecordedSession {
  readonly id: string;
  /** Paths in events are relative to it. */
  readonly cwd: string | null;
  /** Set in a subagent's session: its answers are also accounted to the parent. */
  readonly parent?: SubagentParent | null;
  /**
   * Set for a session without a file: omp's subagents cannot name it, and record themselves in its
   * process, so it claims nothing for them.
   */
  readonly isMemoryOnly?: boolean;
  /** Set if summary texts may be sent. */
  readonly contentOf?: ContentOf | null;
}

/**
 * Redacts a text for sending; null if it may not be sent. Contract: never throws, and depends on
 * the text alone.
 */
export type ContentOf = (text: string) => Content | null;

export interface SubagentParent {
  readonly sessionId: string;
  /**
   * `agent:<name>` (omp); `turn:<entry id>` for a session that began while the tools of that turn
   * ran; `session:<its own id>` where nothing tells the turn (subagent.ts, link.ts).
   */
  readonly key: string;
  /** Set where the parent was told of it under another name before: this is another account. */
  readonly isOtherName?: true;
}

export interface EntryFields {
  readonly entryId: string;
  readonly parentEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly sizes: Sizes;
}

/** `above` is the state at the entry's parent. */
export function entryFields(entry: Entry, above: PathState, sizes: Sizes): EntryFields {
  return {
    entryId: entry.key,
    parentEntryId: entry.parentId,
    promptEntryId: above.promptEntryId,
    sizes,
  };
}

/** For a header, the key is its id. */
export function entryDraft<Name extends EventTypeName>(
  type: Name,
  session: RecordedSession,
  entry: Pick<Entry, 'id' | 'timestamp'> & { readonly key?: string },
  data: EventData<Name>,
  identity: Identity = plainIdentity,
): EventDraft<Name> {
  const dated: Dated = {
    id: entry.key ?? entry.id,
    timestamp: entry.timestamp,
    timeMs: parseTimeMs(entry.timestamp) ?? 0,
  };
  const id = entryEventId(type, dated, identity);
  return { id, type, time: isoTime(dated), subject: session.id, data } as EventDraft<Name>;
}

/**
 * Hosts write times in the format of events. Other formats, and days that not every month has, are
 * rewritten.
 */
function isoTime({ timestamp, timeMs }: Dated): string {
  return isoPattern.test(timestamp) ? timestamp : new Date(timeMs).toISOString();
}

const isoDate = String.raw`(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`;
const isoClock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}`;
const isoPattern = new RegExp(`^${isoDate}T${isoClock}Z$`);
