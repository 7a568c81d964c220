/** Unwraps the event of an entry that was moved to another session. Pure. */
import type { LedgerEvent } from '@pi-ledger/contract';

/** The entry's event, with the subject and ownership that the move gives it. */
export function movedEntry({
  type: _,
  data,
  ...envelope
}: LedgerEvent<'pi.entry.moved.v1'>): LedgerEvent {
  const { eventId, ownership, event } = data;
  const { ownership: __, ...rest } = envelope;
  return {
    ...rest,
    ...event,
    id: eventId,
    ...(ownership === null ? {} : { ownership }),
  } as LedgerEvent;
}
