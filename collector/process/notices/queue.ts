/**
 * Deliveries to one place: those that wait, in order, and what became of the newest others. It is
 * the subscriber's state, so it moves with its checkpoint. Pure.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Attempt } from './target.ts';

const Waiting = Type.Object({
  /** Of the event. */
  id: Type.String(),
  budget: Type.String(),
  state: Type.String(),
  body: Type.String(),
  sinceMs: Type.Number(),
  attempts: Type.Integer(),
  /** Of the last attempt; null: none was made. */
  detail: Type.Union([Type.String(), Type.Null()]),
});

const Done = Type.Object({
  id: Type.String(),
  budget: Type.String(),
  state: Type.String(),
  status: Type.Enum(['delivered', 'refused', 'given up']),
  sinceMs: Type.Number(),
  endedMs: Type.Number(),
  attempts: Type.Integer(),
  detail: Type.Union([Type.String(), Type.Null()]),
});

const Queue = Type.Object({
  waiting: Type.Array(Waiting),
  /** Oldest first. */
  done: Type.Array(Done),
  /** In a row. */
  failures: Type.Integer(),
  /** No attempt is made before. */
  notBeforeMs: Type.Number(),
});

export type Waiting = Static<typeof Waiting>;

export type Queue = Static<typeof Queue>;

const giveUpAfterMs = 24 * 3_600_000;
const firstPauseMs = 1_000;
const longestPauseMs = 15 * 60_000;
const doneMax = 50;
/** All of them fit into a checkpoint's state, whatever names they contain. */
const waitingMax = 40;

const empty: Queue = { waiting: [], done: [], failures: 0, notBeforeMs: 0 };

/** What cannot be understood counts as nothing. */
export function readQueue(text: string | null): Queue {
  if (text === null) return empty;
  try {
    const written: unknown = JSON.parse(text);
    return Value.Check(Queue, written) ? written : empty;
  } catch {
    return empty;
  }
}

/** Of more than can wait, the oldest are given up. */
export function withNew(queue: Queue, added: readonly Waiting[], nowMs: number): Queue {
  const known = new Set([...queue.waiting, ...queue.done].map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return queue;
  const all = [...queue.waiting, ...fresh];
  return all
    .slice(0, Math.max(0, all.length - waitingMax))
    .reduce((rest, { id }) => ended(rest, id, 'given up', 'too many wait', nowMs), {
      ...queue,
      waiting: all,
    });
}

/** Without those that have waited too long. */
export function withoutExpired(queue: Queue, nowMs: number): Queue {
  return queue.waiting
    .filter(({ sinceMs }) => nowMs - sinceMs >= giveUpAfterMs)
    .reduce((rest, { id, detail }) => ended(rest, id, 'given up', detail, nowMs), queue);
}

/** Null: nothing is to be sent now. */
export function nextDue({ waiting, notBeforeMs }: Queue, nowMs: number): Waiting | null {
  return nowMs < notBeforeMs ? null : (waiting[0] ?? null);
}

/** `random`: 0 to 1. */
export function afterAttempt(
  queue: Queue,
  { id }: Waiting,
  attempt: Attempt,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Queue {
  const tried = queue.waiting.map((each) =>
    each.id === id ? { ...each, attempts: each.attempts + 1, detail: attempt.detail } : each,
  );
  if (attempt.is === 'failed') {
    const pauseMs = Math.max(attempt.retryAfterMs ?? 0, pauseAfter(queue.failures, random));
    const notBeforeMs = nowMs + Math.min(pauseMs, giveUpAfterMs);
    return { ...queue, waiting: tried, failures: queue.failures + 1, notBeforeMs };
  }
  const settled = { ...queue, waiting: tried, failures: 0, notBeforeMs: 0 };
  return ended(settled, id, attempt.is, attempt.detail, nowMs);
}

/** Doubles with each failure; the second half of it is drawn. */
function pauseAfter(failures: number, random: number): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 30));
  return Math.round(pauseMs * (0.5 + random / 2));
}

function ended(
  queue: Queue,
  id: string,
  status: Static<typeof Done>['status'],
  detail: string | null,
  nowMs: number,
): Queue {
  const found = queue.waiting.filter((each) => each.id === id);
  const done = found.map(({ budget, state, sinceMs, attempts }) => ({
    ...{ id, budget, state, status, sinceMs, endedMs: nowMs, attempts, detail },
  }));
  return {
    ...queue,
    waiting: queue.waiting.filter((each) => each.id !== id),
    done: [...queue.done, ...done].slice(-doneMax),
  };
}
