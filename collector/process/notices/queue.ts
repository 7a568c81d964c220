/**
 * Deliveries to one place: those that wait, and what became of the others. It is the subscriber's
 * state, so it moves with its checkpoint. Pure.
 *
 * Notices of one budget go in order. Budgets take turns, and whoever waits for the first time in a
 * state goes before those that come back to one, so that a budget that goes up and down all day
 * keeps no other's notice waiting, nor takes its room.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type DeliveryEnded, Lost, withLost } from './lost.ts';
import type { Attempt } from './target.ts';

const Waiting = Type.Object({
  /** It is the id of the event. */
  id: Type.String(),
  budget: Type.String(),
  state: Type.String(),
  body: Type.String(),
  sinceMs: Type.Number(),
  attempts: Type.Integer(),
  /** It says how the last attempt went; null before the first. */
  detail: Type.Union([Type.String(), Type.Null()]),
  /** False: it was in this state before, in the same period. */
  isFirst: Type.Optional(Type.Boolean()),
  /** After an attempt that failed: others may be sent before, this one is not. */
  notBeforeMs: Type.Optional(Type.Number()),
});

const { notices: _, ...doneFields } = Lost.properties;

/** What is optional was not written by earlier versions. */
const Stored = Type.Object({
  waiting: Type.Array(Waiting),
  /** Oldest first. */
  done: Type.Array(
    Type.Object({ ...doneFields, status: Type.Enum(['delivered', 'refused', 'given up']) }),
  ),
  /** In a row. */
  failures: Type.Integer(),
  /** No attempt is made before. */
  notBeforeMs: Type.Number(),
  /** Those that did not arrive and are no longer in `done`, by budget, state and status. */
  lost: Type.Optional(Type.Array(Lost)),
  /** Budgets whose notices were sent last; the last one is the newest. */
  served: Type.Optional(Type.Array(Type.String())),
});

export type Waiting = Static<typeof Waiting>;

export type Queue = Required<Static<typeof Stored>>;

const giveUpAfterMs = 24 * 3_600_000;
const firstPauseMs = 1_000;
const longestPauseMs = 15 * 60_000;
const doneMax = 50;
const servedMax = 200;
/** With what was lost, it fits into a checkpoint's state. */
const waitingBytesMax = 450_000;

const empty: Queue = {
  ...{ waiting: [], done: [], failures: 0, notBeforeMs: 0, lost: [], served: [] },
};

/** What cannot be understood counts as nothing. */
export function readQueue(text: string | null): Queue {
  if (text === null) return empty;
  try {
    const written: unknown = JSON.parse(text);
    return Value.Check(Stored, written) ? { ...empty, ...written } : empty;
  } catch {
    return empty;
  }
}

/** When more wait than can, some are given up, but not `sending`, which is under way. */
export function withNew(
  queue: Queue,
  added: readonly Waiting[],
  { nowMs, sending }: { readonly nowMs: number; readonly sending: string | null },
): Queue {
  const known = new Set([...queue.waiting, ...queue.done].map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return queue;
  const all = { ...queue, waiting: [...queue.waiting, ...fresh] };
  return overflowing(all.waiting, sending).reduce(
    (rest, { id }) => ended(rest, id, 'given up', 'too many wait', nowMs),
    all,
  );
}

/**
 * Those that there is no room for: of the budget with most that wait, the oldest; and as long as
 * there are such, only those that come back to a state.
 */
function overflowing(waiting: readonly Waiting[], sending: string | null): readonly Waiting[] {
  const found: Waiting[] = [];
  let bytes = waiting.reduce((sum, each) => sum + countWaiting(each), 0);
  for (const isAgain of [true, false]) {
    const rest = byBudget(waiting.filter((each) => each.id !== sending && isAgain === again(each)));
    while (bytes > waitingBytesMax && rest.length > 0) {
      const most = rest.reduce((left, right) => (right.length > left.length ? right : left));
      const oldest = most.shift();
      if (oldest === undefined) break;
      found.push(oldest);
      bytes -= countWaiting(oldest);
    }
  }
  return found;
}

function again({ isFirst }: Waiting): boolean {
  return isFirst === false;
}

function countWaiting(waiting: Waiting): number {
  return Buffer.byteLength(JSON.stringify(waiting)) + 1;
}

function byBudget(waiting: readonly Waiting[]): Waiting[][] {
  return [...Map.groupBy(waiting, ({ budget }) => budget).values()];
}

/** Returns null when nothing is to be sent now. */
export function nextDue(queue: Queue, nowMs: number): Waiting | null {
  if (nowMs < queue.notBeforeMs) return null;
  const oldest = byBudget(queue.waiting).flatMap(([first]) => first ?? []);
  const ready = oldest.filter(({ notBeforeMs = 0 }) => nowMs >= notBeforeMs);
  const turn = ({ budget }: Waiting) => queue.served.lastIndexOf(budget);
  const [next = null] = ready.toSorted(
    (left, right) => Number(again(left)) - Number(again(right)) || turn(left) - turn(right),
  );
  return next;
}

/** `random`: 0 to 1. An attempt for one that no longer waits says nothing. */
export function afterAttempt(
  before: Queue,
  { id, budget }: Waiting,
  attempt: Attempt,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): Queue {
  const tried = before.waiting.find((each) => each.id === id);
  if (tried === undefined) return before;
  const pause = (failures: number) => nowMs + pauseAfter(failures, random);
  const isFailed = attempt.is === 'failed';
  const changed = {
    ...{ ...tried, attempts: tried.attempts + 1, detail: attempt.detail },
    ...(isFailed ? { notBeforeMs: pause(tried.attempts) } : {}),
  };
  const queue = {
    ...before,
    waiting: before.waiting.map((each) => (each === tried ? changed : each)),
    served: [...before.served.filter((each) => each !== budget), budget].slice(-servedMax),
  };
  if (!isFailed) {
    const settled = { ...queue, failures: 0, notBeforeMs: 0 };
    return ended(settled, id, attempt.is, attempt.detail, nowMs);
  }
  const asked = nowMs + Math.min(attempt.retryAfterMs ?? 0, giveUpAfterMs);
  const failed = {
    ...{ ...queue, failures: before.failures + 1 },
    notBeforeMs: Math.max(asked, pause(before.failures)),
  };
  const isTooOld = nowMs - tried.sinceMs >= giveUpAfterMs;
  return isTooOld ? ended(failed, id, 'given up', attempt.detail, nowMs) : failed;
}

/** Doubles with each failure; the second half of it is drawn. */
function pauseAfter(failures: number, random: number): number {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 30));
  return Math.round(pauseMs * (0.5 + random / 2));
}

function ended(
  queue: Queue,
  id: string,
  status: Queue['done'][number]['status'],
  detail: string | null,
  nowMs: number,
): Queue {
  const found = queue.waiting.filter((each) => each.id === id);
  const now = found.map(({ budget, state, sinceMs, attempts }) => ({
    ...{ id, budget, state, status, sinceMs, endedMs: nowMs, attempts, detail },
  }));
  const done = [...queue.done, ...now];
  const old = done.slice(0, Math.max(0, done.length - doneMax));
  return {
    ...queue,
    waiting: queue.waiting.filter((each) => each.id !== id),
    done: done.slice(-doneMax),
    lost: withLost(queue.lost, old.filter(didNotArrive), nowMs),
  };
}

function didNotArrive(done: Queue['done'][number]): done is DeliveryEnded {
  return done.status !== 'delivered';
}
