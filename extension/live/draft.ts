import type { EventData, EventTypeName } from '@pi-ledger/contract';
import type { EventDraft } from '../record/draft.ts';
import { liveEventId } from '../record/event-id.ts';

/** An event of what only the running host saw: it happened now, and its id is drawn now. */
export function liveDraft<Name extends EventTypeName>(type: Name, sessionId: string, timeMs: number, data: EventData<Name>): EventDraft {
  return { id: liveEventId(timeMs), type, time: new Date(timeMs).toISOString(), subject: sessionId, data } as EventDraft;
}
