/**
 * Bounds how many answers are made at once. Each takes memory while it is made, and is made to its
 * end though its reader may have left: a page that asks again and again, or a client that gives up
 * early, must neither fill the memory nor hold up those who wait.
 *
 * Guarantees: at most `turnsMax` answers are made at once. The others wait for their turn in the
 * order in which they came; nothing is made for a reader who leaves before it.
 */
import type { EventEmitter } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { type Door, hasLeft } from './leaving.ts';

/** A database answers several at once. */
const turnsMaxDefault = 6;

export interface Turns {
  /** Resolves with what ends the turn; null: the reader has left. */
  take(reader: Reader): Promise<(() => void) | null>;
}

export interface Reader {
  readonly door: Door;
  /** Emits `close` when it is answered or its connection is closed. */
  readonly answer: Pick<EventEmitter, 'once' | 'off'>;
}

export function createTurns(turnsMax = turnsMaxDefault): Turns {
  let taken = 0;
  /** In their order. */
  const waiting = new Set<() => void>();
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) taken -= 1;
    else next();
  };

  /** False: the reader left first, and there is no turn to end. */
  function called({ answer }: Reader): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isCalled: boolean): void => {
        waiting.delete(call);
        answer.off('close', leave);
        resolve(isCalled);
      };
      const call = (): void => settle(true);
      const leave = (): void => settle(false);
      waiting.add(call);
      answer.once('close', leave);
    });
  }

  return {
    async take(reader) {
      if (taken < turnsMax) taken += 1;
      else if (!(await called(reader))) return null;
      if (!(await hasLeft(reader.door))) return end;
      end();
      return null;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it has no turn, or no longer. */
    endTurn: (() => void) | null;
  }
}

/** For routes whose answers are made from the store. */
export function addTurns(app: FastifyInstance, turns: Turns): void {
  app.decorateRequest('endTurn', null);
  app.addHook('preHandler', async (request, reply) => {
    request.endTurn = await turns.take({ door: request.raw.socket, answer: reply.raw });
    if (request.endTurn === null) reply.hijack();
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    request.endTurn?.();
    request.endTurn = null;
    return payload;
  });
}
