/** Collects events as JSON in batches that fit a request. */
import { limits } from '@pi-ledger/contract';
import type { EventDraft } from '@pi-ledger/core/record/draft';

export interface EventBatch {
  /** The JSON of each event, in order. */
  readonly texts: readonly string[];
  /** Bytes of the file read since the previous batch. */
  readonly bytes: number;
}

/** The session file that an event of a batch is from, by its JSON. */
export type FileOf = (text: string) => string;

export interface EventBatches {
  read(bytes: number): void;
  add(drafts: readonly EventDraft[]): void;
  /** A full batch, or null. */
  full(): EventBatch | null;
  /** Everything left. */
  rest(): EventBatch;
}

const batchEvents = Math.min(400, limits.batchEventsMax);
/**
 * A character takes at most three bytes, so a body with one more event stays within
 * `limits.bodyBytesMax`.
 */
const batchChars = 512 * 1024;

/** `source`: the events' producer. Imported events have no sequence. */
export function createBatches(source: string): EventBatches {
  let texts: string[] = [];
  let chars = 0;
  let bytes = 0;
  const take = (): EventBatch => {
    const batch = { texts, bytes };
    texts = [];
    chars = 0;
    bytes = 0;
    return batch;
  };
  /** Takes as many of the first events as fit. */
  const takeFull = (): EventBatch => {
    let [count, takenChars] = [0, 0];
    while (count < batchEvents && takenChars < batchChars && count < texts.length)
      takenChars += texts[count++]?.length ?? 0;
    if (count === texts.length) return take();
    const batch = { texts: texts.slice(0, count), bytes };
    texts = texts.slice(count);
    chars -= takenChars;
    bytes = 0;
    return batch;
  };
  return {
    read(more) {
      bytes += more;
    },
    add(drafts) {
      for (const { id, type, time, subject, ownership, data } of drafts) {
        const text = JSON.stringify({
          specversion: '1.0',
          id,
          source,
          type,
          time,
          subject,
          ownership,
          data,
        });
        texts.push(text);
        chars += text.length;
      }
    },
    full: () => (texts.length >= batchEvents || chars >= batchChars ? takeFull() : null),
    rest: take,
  };
}
