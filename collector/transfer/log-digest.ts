/**
 * What a log holds, in two figures: two logs with the same ones have the same events in the same
 * order, each as it came and when it came.
 */
import { createHash } from 'node:crypto';
import type { StoredText } from '../log/stored-event.ts';

export interface LogFigures {
  readonly events: number;
  /** SHA-256 over each event's id, time of receipt and JSON, in order; lower-case hexadecimal. */
  readonly sha256: string;
}

export interface LogDigest {
  add(events: readonly StoredText[]): void;
  /** Once, at the end. */
  figures(): LogFigures;
}

export function createLogDigest(): LogDigest {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(events) {
      // An id has no space and a JSON text comes after its length: no two lists of events make the
      // same bytes.
      for (const { eventId, receivedAtMs, text } of events)
        hash.update(`${eventId} ${receivedAtMs} ${text.length} ${text}\n`);
      count += events.length;
    },
    figures: () => ({ events: count, sha256: hash.digest('hex') }),
  };
}
