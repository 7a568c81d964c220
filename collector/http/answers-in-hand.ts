/**
 * Bounds what slow readers hold: bytes of all answers together, and time.
 *
 * Guarantees: large answers that are not read yet hold at most `bytesMax`. Beyond that, whoever has
 * the most of them loses the oldest, if that makes room; otherwise the new one is refused, and
 * nobody loses any. A reader that reads nothing for `stalledMsMax` loses its connection.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LedgerError } from '../errors.ts';
import { LongText } from './long-text.ts';
import { type Origin, requestOrigin } from './origin.ts';

/** A smaller answer fits into the socket's buffers at once. */
const smallBytes = 64 * 1024;
const bytesInHandMax = 64 * 1024 * 1024;
const stalledMsMax = 30_000;

export interface AnswersInHand {
  /** Until the answer is read or the reader is gone. Throws a LedgerError if it is too much. */
  hold(reply: FastifyReply, bytes: number): void;
}

interface Held {
  readonly who: Origin;
  readonly bytes: number;
  /** Closes its connection. */
  readonly end: () => void;
}

export function createAnswersInHand({
  bytesMax = bytesInHandMax,
  stalledMs = stalledMsMax,
} = {}): AnswersInHand {
  /** In their order. */
  const held = new Set<Held>();

  function makeRoom(who: Origin, bytes: number): void {
    const left = [...held];
    const ended: Held[] = [];
    // A single answer may be larger: otherwise nobody could ever read it.
    while (left.length > 0 && sumBytes(left) + bytes > bytesMax) {
      const oldest = oldestOfTheMost(left, who, bytes);
      if (oldest === null) throw new LedgerError('store_unavailable', { message: busy });
      left.splice(left.indexOf(oldest), 1);
      ended.push(oldest);
    }
    for (const each of ended) {
      held.delete(each);
      each.end();
    }
  }

  return {
    hold({ raw, request }, bytes) {
      // Its reader has left, and nothing will tell so again.
      if (raw.destroyed) return;
      const answer: Held = { who: requestOrigin(request), bytes, end: () => raw.destroy() };
      makeRoom(answer.who, bytes);
      held.add(answer);
      raw.once('close', () => held.delete(answer));
      const { socket } = raw;
      if (socket === null) return;
      // Node resets the timeout of the idle connection after the answer.
      raw.setTimeout(stalledMs, () => socket.destroy());
    },
  };
}

function sumBytes(held: Iterable<Held>): number {
  return [...held].reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * The oldest answer of the caller who holds the most, or of the most of one's own: page and
 * programs count apart there. It is null if that is whoever asks.
 */
function oldestOfTheMost(held: readonly Held[], asker: Origin, bytes: number): Held | null {
  const own = held.filter(({ who }) => who.caller === asker.caller);
  return (
    oldestOfLargest(held, asker, bytes, 'caller') ?? oldestOfLargest(own, asker, bytes, 'kind')
  );
}

function oldestOfLargest(
  held: readonly Held[],
  asker: Origin,
  bytes: number,
  share: 'caller' | 'kind',
): Held | null {
  const { [asker[share]]: own = [], ...others } = Object.groupBy(held, ({ who }) => who[share]);
  const [largest = []] = Object.values(others).toSorted(
    (one = [], other = []) => sumBytes(other) - sumBytes(one),
  );
  return sumBytes(largest) > sumBytes(own) + bytes ? (largest[0] ?? null) : null;
}

const busy = 'You hold too many answers that you have not read. Read them, or try again later.';

/** For answers whose length is known; another streamed answer calls `hold` itself. */
export function addAnswersInHand(app: FastifyInstance, answers: AnswersInHand): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const bytes =
      typeof payload === 'string'
        ? Buffer.byteLength(payload)
        : Buffer.isBuffer(payload)
          ? payload.length
          : payload instanceof LongText
            ? payload.chars
            : 0;
    if (bytes > smallBytes) answers.hold(reply, bytes);
    return payload;
  });
}
