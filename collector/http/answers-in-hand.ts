/**
 * Readers that do not read: how much waits to be taken, of all answers together, and for how long.
 *
 * Guarantees: large answers that were not taken yet hold `bytesMax` at most, whoever asks for
 * another one then is told to come again; and of a reader that takes nothing for `stalledMsMax` the
 * connection is cut.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LedgerError } from '../errors.ts';

/** What fits into the buffers of a socket is gone at once. */
const smallBytes = 64 * 1024;
const bytesInHandMax = 64 * 1024 * 1024;
const stalledMsMax = 30_000;

export interface AnswersInHand {
  /**
   * Until the answer is taken, or its reader has gone. Throws a LedgerError when there would be too
   * much.
   */
  hold(reply: FastifyReply, bytes: number): void;
}

export function createAnswersInHand({
  bytesMax = bytesInHandMax,
  stalledMs = stalledMsMax,
} = {}): AnswersInHand {
  let inHand = 0;
  return {
    hold({ raw }, bytes) {
      // One alone may be larger: it was made, and nobody could ever have it otherwise.
      if (inHand > 0 && inHand + bytes > bytesMax)
        throw new LedgerError('store_unavailable', { message: busy });
      inHand += bytes;
      raw.once('close', () => {
        inHand -= bytes;
      });
      const { socket } = raw;
      if (socket === null) return;
      // Node sets the time of an idle connection anew when the answer is out.
      raw.setTimeout(stalledMs, () => socket.destroy());
    },
  };
}

const busy = 'Too much is being read at the moment by readers that are slow. Try again.';

/**
 * Of answers that are there as a whole; one that is made while it is read holds what it has in hand
 * itself.
 */
export function addAnswersInHand(app: FastifyInstance, answers: AnswersInHand): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const bytes =
      typeof payload === 'string'
        ? Buffer.byteLength(payload)
        : Buffer.isBuffer(payload)
          ? payload.length
          : 0;
    if (bytes > smallBytes) answers.hold(reply, bytes);
    return payload;
  });
}
