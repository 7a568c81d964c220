/**
 * A connection's requests are answered one after the other (HTTP pipelining). Node would begin all
 * of them at once and keep the later answers in memory until their turn comes.
 *
 * Guarantees: nothing is looked up for a request before the answer to the one before it was read or
 * its connection closed. A connection with more than `waitingMax` of them is closed.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Few clients do it at all, and none of them needs many. */
const waitingMax = 128;

interface Line {
  isBusy: boolean;
  readonly waiting: (() => void)[];
}

/** Add it before all hooks that do any work. */
export function addOneAtATime(app: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();

  function take(socket: Socket): Promise<void> | undefined {
    const line = lines.get(socket) ?? { isBusy: false, waiting: [] };
    lines.set(socket, line);
    if (!line.isBusy) {
      line.isBusy = true;
      return undefined;
    }
    if (line.waiting.length >= waitingMax) socket.destroy();
    // Those of a closed connection wait for ever, and go with it.
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  function leave(socket: Socket): void {
    const line = lines.get(socket);
    if (line === undefined || socket.destroyed) return;
    const next = line.waiting.shift();
    if (next === undefined) line.isBusy = false;
    else next();
  }

  app.addHook('onRequest', async ({ raw }, { raw: answer }) => {
    const { socket } = raw;
    await take(socket);
    answer.once('close', () => leave(socket));
  });
}
