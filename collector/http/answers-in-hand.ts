/**
 * Bounds what slow readers hold: bytes of all answers together, and time.
 *
 * Guarantees: large answers that are not read yet hold at most `bytesMax`. Beyond that, whoever has
 * the most of them loses the oldest; only who has the most is told to come again. A reader that
 * reads nothing for `stalledMsMax` loses its connection.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LedgerError } from '../errors.ts';
import { LongText } from './long-text.ts';
import { sharer } from './origin.ts';

/** A smaller answer fits into the socket's buffers at once. */
const smallBytes = 64 * 1024;
const bytesInHandMax = 64 * 1024 * 1024;
const stalledMsMax = 30_000;

export interface AnswersInHand {
  /** Until the answer is read or the reader is gone. Throws a LedgerError if it is too much. */
  hold(reply: FastifyReply, bytes: number): void;
}

interface Held {
  readonly who: string;
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

  function makeRoom(who: string, bytes: number): void {
    for (;;) {
      const all = sumBytes(held);
      // A single answer may be larger: otherwise nobody could ever read it.
      if (all === 0 || all + bytes <= bytesMax) return;
      const others = [...held].filter((each) => each.who !== who);
      const most = oldestOfTheMost(others);
      const own = all - sumBytes(others) + bytes;
      if (most === null || most.bytesOfAll <= own)
        throw new LedgerError('store_unavailable', { message: busy });
      held.delete(most.oldest);
      most.oldest.end();
    }
  }

  return {
    hold({ raw, request }, bytes) {
      // Its reader has left, and nothing will tell so again.
      if (raw.destroyed) return;
      const answer: Held = { who: sharer(request), bytes, end: () => raw.destroy() };
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

/** The oldest answer of whoever holds the most bytes. */
function oldestOfTheMost(held: readonly Held[]): { oldest: Held; bytesOfAll: number } | null {
  const [most] = [...Map.groupBy(held, ({ who }) => who).values()]
    .map((answers) => ({ oldest: answers[0], bytesOfAll: sumBytes(answers) }))
    .toSorted((one, other) => other.bytesOfAll - one.bytesOfAll);
  return most?.oldest === undefined ? null : { oldest: most.oldest, bytesOfAll: most.bytesOfAll };
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
