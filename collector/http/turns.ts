/**
 * Bounds how many answers are made at once. Each takes memory while it is made, and is made to its
 * end though its reader may have left: a page that asks again and again, or a client that gives up
 * early, must neither fill the memory nor hold up those who wait.
 *
 * Guarantees: at most `turnsMax` answers are made at once. The others wait for their turn: first
 * those of whoever has the fewest answers made just then, then in the order in which they came. So
 * who asks a lot waits for oneself. Nothing is made for a reader who leaves before it.
 */
import type { EventEmitter } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { type Door, hasLeft } from './leaving.ts';
import { requestOrigin } from './origin.ts';

/** A database answers several at once. */
const turnsMaxDefault = 6;

export interface Turns {
  /** Resolves with what ends the turn; null: the reader has left. */
  take(reader: TurnReader): Promise<(() => void) | null>;
}

export interface TurnReader {
  /** Whose turn it is: those with the same name share. */
  readonly who: string;
  readonly door: Door;
  /** Emits `close` when it is answered or its connection is closed. */
  readonly answer: Pick<EventEmitter, 'once' | 'off'>;
}

interface Waiting {
  readonly who: string;
  readonly call: () => void;
}

export function createTurns(turnsMax = turnsMaxDefault): Turns {
  /** Whose answers are made. */
  const taken: string[] = [];
  /** In their order. */
  const waiting = new Set<Waiting>();
  const takenBy = (who: string): number => taken.filter((each) => each === who).length;

  function endOf(who: string): () => void {
    return () => {
      taken.splice(taken.indexOf(who), 1);
      const next = [...waiting].reduce<Waiting | null>(
        (least, each) => (least !== null && takenBy(least.who) <= takenBy(each.who) ? least : each),
        null,
      );
      if (next === null) return;
      taken.push(next.who);
      next.call();
    };
  }

  /** False: the reader left first, and there is no turn to end. */
  function called({ who, answer }: TurnReader): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isCalled: boolean): void => {
        waiting.delete(place);
        answer.off('close', leave);
        resolve(isCalled);
      };
      const place = { who, call: () => settle(true) };
      const leave = (): void => settle(false);
      waiting.add(place);
      answer.once('close', leave);
    });
  }

  return {
    async take(reader) {
      const { who } = reader;
      if (taken.length < turnsMax) taken.push(who);
      else if (!(await called(reader))) return null;
      const end = endOf(who);
      if (!(await hasLeft(reader.door))) return end;
      end();
      return null;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It is null while the request has no turn. */
    endTurn: (() => void) | null;
  }
}

/** For routes whose answers are made from the store. */
export function addTurns(app: FastifyInstance, turns: Turns): void {
  app.decorateRequest('endTurn', null);
  app.addHook('preHandler', async (request, reply) => {
    const { caller, kind } = requestOrigin(request);
    const reader = { who: `${kind} ${caller}`, door: request.raw.socket, answer: reply.raw };
    request.endTurn = await turns.take(reader);
    if (request.endTurn === null) reply.hijack();
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    request.endTurn?.();
    request.endTurn = null;
    return payload;
  });
}
