/** What all events of session entries have in common. */
import type { EventData, EventTypeName, Sizes } from '@pi-ledger/contract';
import type { EventDraft } from './draft.ts';
import { type Entry, timeMsOf } from './entry.ts';
import { type Dated, entryEventId, type Identity, plainIdentity } from './event-id.ts';
import type { Place } from './place.ts';

/** The session that an entry stands in, as its header has it. */
export interface Session {
  readonly id: string;
  /** Paths in events are relative to it. */
  readonly cwd: string | null;
}

export interface EntryFields {
  readonly entryId: string;
  readonly parentEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly sizes: Sizes;
}

/** `above` is the place at the entry's parent. */
export function entryFields(entry: Entry, above: Place, sizes: Sizes): EntryFields {
  return { entryId: entry.id, parentEntryId: entry.parentId, promptEntryId: above.promptEntryId, sizes };
}

export function entryDraft<Name extends EventTypeName>(
  type: Name,
  session: Session,
  entry: Pick<Entry, 'id' | 'timestamp'>,
  data: EventData<Name>,
  identity: Identity = plainIdentity,
): EventDraft<Name> {
  const dated: Dated = { id: entry.id, timestamp: entry.timestamp, timeMs: timeMsOf(entry.timestamp) ?? 0 };
  const id = entryEventId(type, dated, identity);
  return { id, type, time: new Date(dated.timeMs).toISOString(), subject: session.id, data } as EventDraft<Name>;
}
