/**
 * Sends notices of budgets to one place.
 *
 * Contract: that of `Subscriber`, but a place that fails never fails a batch: what could not
 * be delivered waits in the state, in order, and is tried again for a day. Whoever sends it again,
 * also after a kill between an answer and the checkpoint, sends the same id.
 */
import type { Subscriber, SubscriberBatch } from '../../subscription/subscriber.ts';
import {
  afterAttempt,
  nextDue,
  type Queue,
  readQueue,
  type Waiting,
  withNew,
  withoutExpired,
} from './queue.ts';
import type { Attempt, Target } from './target.ts';

export interface NoticesOptions {
  now(): number;
  random(): number;
  /** One line for the log, without secrets. Must not throw. */
  say(message: string): void;
}

/** How often it looks whether a delivery is due. */
const idleMs = 1_000;

export function createNotices(target: Target, options: NoticesOptions): Subscriber {
  const { now, random, say } = options;
  /** What was resolved with last, so that it need not be read again. */
  let last: { readonly text: string | null; readonly queue: Queue } | null = null;
  /** Whose outcome the store may not have yet: a disk that is full must not send them again. */
  const settled = new Map<string, Attempt>();

  async function work(queue: Queue, signal: AbortSignal): Promise<Queue> {
    let rest = withoutExpired(queue, now());
    for (let due = nextDue(rest, now()); due !== null; due = nextDue(rest, now())) {
      const attempt = settled.get(due.id) ?? (await attemptAt(due, signal));
      if (attempt === null) break; // it stops: what was not sent waits
      if (attempt.is !== 'failed') settled.set(due.id, attempt);
      rest = afterAttempt(rest, due, attempt, { nowMs: now(), random: random() });
    }
    return rest;
  }

  async function attemptAt(due: Waiting, signal: AbortSignal): Promise<Attempt | null> {
    try {
      return await target.send(due, signal);
    } catch {
      if (signal.aborted) return null;
      return { is: 'failed', detail: 'the attempt failed', retryAfterMs: null };
    }
  }

  function tell(before: Queue, after: Queue): void {
    const known = new Set(before.done.map(({ id }) => id));
    for (const { id, budget, status, detail, attempts } of after.done)
      if (!known.has(id) && status !== 'delivered')
        say(
          `${target.shown}: the notice of the budget ${budget} is ${status} after ` +
            `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${detail ?? 'not sent'}`,
        );
    if (before.failures === 0 && after.failures > 0)
      say(`${target.shown}: ${after.waiting[0]?.detail}; notices are sent again for a day`);
  }

  return {
    name: target.name,
    beginsAt: 'head',
    idleMs,
    async handle({ events }, signal, text) {
      const isKept = last?.text === text;
      if (isKept) settled.clear();
      const before = last !== null && isKept ? last.queue : readQueue(text);
      last = { text, queue: before };
      const queue = withNew(before, deliveriesOf(events, target, now()), now());
      const after = await work(queue, signal);
      if (after === before) return undefined;
      tell(before, after);
      const written = JSON.stringify(after);
      last = { text: written, queue: after };
      return written;
    },
  };
}

function deliveriesOf(
  events: SubscriberBatch['events'],
  target: Target,
  nowMs: number,
): readonly Waiting[] {
  return events.flatMap(({ event, receivedAtMs }) => {
    if (event.type !== 'pi.budget.crossed.v1') return [];
    const body = target.bodyOf({ event, receivedAtMs });
    if (body === null) return [];
    const { id, data } = event;
    const waits = { sinceMs: nowMs, attempts: 0, detail: null };
    return [{ id, budget: data.budget, state: data.to, body, ...waits }];
  });
}
