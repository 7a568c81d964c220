/**
 * An entry that counts under another session now: what was moved, as the event that it came with.
 * Pure.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

/** With the subject and the certainty that the move gives it. */
export function entryOf({
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
