/**
 * What a subscriber that begins at the log's head remembers of what came before it.
 *
 * Contract: rejects when the store or the subscriber fails, and soon after the signal is aborted.
 * One batch is in memory.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Subscriber } from './subscriber.ts';

export interface RecollectionOptions {
  readonly log: Pick<Log, 'read'>;
  readonly subscriber: Pick<Subscriber, 'recall'>;
  readonly signal: AbortSignal;
  readonly batchEventsMax: number;
  readonly batchCharsMax: number;
}

/** Before the head: a day of a small team, an hour of a large one. Read and folded in a second. */
const recalledEvents = 20_000;

/** The state that it begins with: of the newest events up to `head`; null: none. */
export async function recollect(
  { log, subscriber, signal, batchEventsMax, batchCharsMax }: RecollectionOptions,
  head: number,
): Promise<string | null> {
  let state: string | null = null;
  if (subscriber.recall === undefined || head === 0) return state;
  for (let from = Math.max(0, head - recalledEvents); from < head; ) {
    const found = await log.read(from, batchEventsMax, batchCharsMax);
    const events = found.filter(({ position }) => position <= head);
    const to = events.at(-1)?.position ?? head;
    state = await subscriber.recall({ events, from, to }, state);
    from = to;
    await nextTurn();
    signal.throwIfAborted();
  }
  return subscriber.recall({ events: [], from: head, to: head }, state);
}
