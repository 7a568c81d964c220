/** Events that a gateway takes in as fast as it can, so that workers are behind. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { liveBatches } from './live-work.ts';

const batchEvents = 500;
const sessionsOpen = 500;

/**
 * `part`: each has sessions of its own. Returns how many were acknowledged: at least `events`.
 * Rejects if one is refused.
 */
export async function sendBacklog(url: string, events: number, part = 0): Promise<number> {
  let sent = 0;
  for (const batch of liveBatches({ sessionsOpen, eventsMax: batchEvents, part })) {
    if (sent >= events) break;
    await sendBatch(url, batch);
    sent += batch.length;
  }
  return sent;
}

/** Rejects if it is refused. */
export async function sendBatch(url: string, batch: readonly LedgerEvent[]): Promise<void> {
  const answer = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(batch),
  });
  if (answer.status !== 200) throw new Error(`refused: ${await answer.text()}`);
}
