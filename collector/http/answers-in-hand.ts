/**
 * Bounds what slow readers hold: bytes of all answers together, and time.
 *
 * Guarantees: large answers that are not read yet hold at most `bytesMax`; beyond that, a request
 * is told to come again. A reader that reads nothing for `stalledMsMax` loses its connection.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LedgerError } from '../errors.ts';
import { LongText } from './long-text.ts';

/** A smaller answer fits into the socket's buffers at once. */
const smallBytes = 64 * 1024;
const bytesInHandMax = 64 * 1024 * 1024;
const stalledMsMax = 30_000;

export interface AnswersInHand {
  /** Until the answer is read or the reader is gone. Throws a LedgerError if it is too much. */
  hold(reply: FastifyReply, bytes: number): void;
}

export function createAnswersInHand({
  bytesMax = bytesInHandMax,
  stalledMs = stalledMsMax,
} = {}): AnswersInHand {
  let inHand = 0;
  return {
    hold({ raw }, bytes) {
      // Its reader has left, and nothing will tell so again.
      if (raw.destroyed) return;
      // A single answer may be larger: otherwise nobody could ever read it.
      if (inHand > 0 && inHand + bytes > bytesMax)
        throw new LedgerError('store_unavailable', { message: busy });
      inHand += bytes;
      raw.once('close', () => {
        inHand -= bytes;
      });
      const { socket } = raw;
      if (socket === null) return;
      // Node resets the timeout of the idle connection after the answer.
      raw.setTimeout(stalledMs, () => socket.destroy());
    },
  };
}

const busy = 'Slow readers hold too many answers right now. Try again.';

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
