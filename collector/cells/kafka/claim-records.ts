/** What a record of the topic of claims says: an event whose owner is disputed. Pure. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { type EventCheck, latestTime } from '../../ingest/event-check.ts';
import type { IncomingRecord, OutgoingRecord } from '../../ingest/kafka/kafka.ts';
import { parseRecord, receivedHeaders } from '../../ingest/kafka/records.ts';
import { timeIn } from '../../ingest/ownership.ts';

/** The log may have the event under another owner. Twins are of one time. */
export function claimRecord(
  topic: string,
  partition: number,
  event: LedgerEvent,
  received: { readonly receivedAtMs: number },
): OutgoingRecord {
  const headers = receivedHeaders(received);
  return { topic, partition, key: timeIn(event.id), value: JSON.stringify(event), headers };
}

/** Returns null for what no worker writes. `nowMs`: a claim is no later than an event may be. */
export function claimIn(
  { value }: Pick<IncomingRecord, 'value'>,
  check: EventCheck,
  nowMs: number,
): LedgerEvent | null {
  const verdict = check(parseRecord(value), latestTime(nowMs));
  return verdict.kind === 'event' ? verdict.event : null;
}
