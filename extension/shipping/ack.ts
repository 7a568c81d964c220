import type { Ack } from '@pi-ledger/contract';

/** Null unless the text is an ack in every part: events are removed on its word. */
export function parseAck(text: string): Ack | null {
  let ack: Partial<Record<keyof Ack, unknown>> | null;
  try {
    ack = JSON.parse(text);
  } catch {
    return null; // the caller treats it as the answer of something that is no collector
  }
  if (typeof ack !== 'object' || ack === null) return null;
  const { accepted, duplicates, expired, rejected } = ack;
  return [accepted, duplicates, expired].every(Number.isSafeInteger) && Array.isArray(rejected) ? (ack as Ack) : null;
}
