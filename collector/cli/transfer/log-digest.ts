/**
 * Two figures of a log: two logs with the same figures have the same events in the same order, each
 * unchanged and with the same time of receipt.
 */
import { createHash } from 'node:crypto';
import type { StoredText } from '../../log/stored-event.ts';

export interface LogFigures {
  readonly events: number;
  /** SHA-256 over each event's id, time of receipt and JSON, in order; lower-case hexadecimal. */
  readonly sha256: string;
}

export interface LogDigest {
  add(events: readonly StoredText[]): void;
  /** Call it once, at the end. */
  figures(): LogFigures;
}

export function createLogDigest(): LogDigest {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(events) {
      // Ids have no spaces and each JSON text follows its length, so no two lists of events give
      // the same bytes.
      for (const { eventId, receivedAtMs, text } of events)
        hash.update(`${eventId} ${receivedAtMs} ${text.length} ${text}\n`);
      count += events.length;
    },
    figures: () => ({ events: count, sha256: hash.digest('hex') }),
  };
}
