/** What all events of session entries have in common. */
import type { Content, EventData, EventTypeName, Sizes } from '@pi-ledger/contract';
import type { EventDraft } from './draft.ts';
import { type Entry, timeMsOf } from './entry.ts';
import { type Dated, entryEventId, type Identity, plainIdentity } from './identity/event-id.ts';
import type { PathState } from './path-state.ts';

/** The session that an entry stands in, as its header has it. */
export interface Session {
  readonly id: string;
  /** Paths in events are relative to it. */
  readonly cwd: string | null;
  /** Set in a subagent's session: its answers are told to the parent too. */
  readonly parent?: SubagentParent | null;
  /**
   * omp's subagents of a session without a file cannot name it, and record themselves in its
   * process: it claims nothing of them.
   */
  readonly isMemoryOnly?: boolean;
  /** Set where texts of summaries may travel. */
  readonly contentOf?: ContentOf | null;
}

/**
 * A text as it may travel, without secrets; null where it does not. Contract: never throws, and is
 * a function of the text.
 */
export type ContentOf = (text: string) => Content | null;

export interface SubagentParent {
  readonly sessionId: string;
  /** `agent:<name>`, or `turn:<entry id>` for a child process: see subagent.ts. */
  readonly key: string;
}

export interface EntryFields {
  readonly entryId: string;
  readonly parentEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly sizes: Sizes;
}

/** `above` is the place at the entry's parent. */
export function entryFields(entry: Entry, above: PathState, sizes: Sizes): EntryFields {
  return {
    entryId: entry.key,
    parentEntryId: entry.parentId,
    promptEntryId: above.promptEntryId,
    sizes,
  };
}

/** A header has its id alone. */
export function entryDraft<Name extends EventTypeName>(
  type: Name,
  session: Session,
  entry: Pick<Entry, 'id' | 'timestamp'> & { readonly key?: string },
  data: EventData<Name>,
  identity: Identity = plainIdentity,
): EventDraft<Name> {
  const dated: Dated = {
    id: entry.key ?? entry.id,
    timestamp: entry.timestamp,
    timeMs: timeMsOf(entry.timestamp) ?? 0,
  };
  const id = entryEventId(type, dated, identity);
  return { id, type, time: isoTime(dated), subject: session.id, data } as EventDraft<Name>;
}

/**
 * Hosts write times as events say them. Those of other clocks, and days that not every month has,
 * are written anew.
 */
function isoTime({ timestamp, timeMs }: Dated): string {
  return isoPattern.test(timestamp) ? timestamp : new Date(timeMs).toISOString();
}

const isoPattern =
  /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
