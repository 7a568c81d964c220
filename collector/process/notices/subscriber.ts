/**
 * Sends notices of budgets to one place.
 *
 * Contract: that of `Subscriber`, but a place that fails never fails a batch: what could not be
 * delivered waits in the state, and is tried again for a day. Events do not wait for an attempt
 * that is under way. The next attempt begins once the outcome of the last one is kept, so a kill
 * repeats one at most, with the same id.
 */
import type { Subscriber, SubscriberBatch } from '../../subscription/subscriber.ts';
import { joinNames } from './names.ts';
import { afterAttempt, nextDue, type Queue, readQueue, type Waiting, withNew } from './queue.ts';
import type { Attempt, Target } from './target.ts';

export interface NoticesOptions {
  now(): number;
  random(): number;
  /** One line for the log, without secrets. Must not throw. */
  say(message: string): void;
}

/** How often it looks whether a delivery is due. */
const lookEveryMs = 1_000;

interface Sending {
  readonly due: Waiting;
  readonly attempt: Promise<void>;
  /** Undefined: it is under way. Null: it was stopped, and what was not sent waits. */
  outcome: Attempt | null | undefined;
}

export function createNotices(target: Target, options: NoticesOptions): Subscriber {
  const { now, random, say } = options;
  /** What was resolved with last, so that it need not be read again. */
  let last: { readonly text: string | null; readonly queue: Queue } | null = null;
  /** Whose outcome the store may not have yet: a disk that is full must not send them again. */
  const settled = new Map<string, Attempt>();
  let sending: Sending | null = null;

  function begin(due: Waiting, signal: AbortSignal): Sending {
    const known = settled.get(due.id);
    const begun: Sending = { due, outcome: known, attempt: Promise.resolve() };
    if (known !== undefined) return begun;
    const attempt = attemptAt(due, signal).then((outcome) => {
      begun.outcome = outcome;
    });
    return Object.assign(begun, { attempt });
  }

  async function attemptAt(due: Waiting, signal: AbortSignal): Promise<Attempt | null> {
    try {
      return await target.send(due, signal);
    } catch {
      if (signal.aborted) return null;
      return { is: 'failed', detail: 'the attempt failed', retryAfterMs: null };
    }
  }

  function withEvents(before: Queue, events: SubscriberBatch['events']): Queue {
    const added = planDeliveries(events, target, now());
    const queue = withNew(before, added, { nowMs: now(), sending: sending?.due.id ?? null });
    const kept = new Set([...queue.waiting, ...before.done].map(({ id }) => id));
    const dropped = [...before.waiting, ...added].filter(({ id }) => !kept.has(id));
    if (dropped.length > 0)
      say(
        `${target.shown}: more notices wait than there is room for; ` +
          `given up: ${joinNames(dropped)}`,
      );
    return queue;
  }

  /** With the outcome of the last attempt, once there is one. */
  function withOutcome(before: Queue): Queue {
    if (sending === null || sending.outcome === undefined) return before;
    const { due, outcome } = sending;
    sending = null;
    if (outcome === null) return before;
    if (outcome.is !== 'failed') settled.set(due.id, outcome);
    const after = afterAttempt(before, due, outcome, { nowMs: now(), random: random() });
    tell(before, after);
    return after;
  }

  function tell(before: Queue, after: Queue): void {
    const known = new Set(before.done.map(({ id }) => id));
    const lost = after.done.filter(({ id, status }) => !known.has(id) && status !== 'delivered');
    for (const { budget, status, detail, attempts } of lost)
      say(
        `${target.shown}: the notice of the budget ${budget} is ${status} after ` +
          `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${detail ?? 'not sent'}`,
      );
    const failed = after.waiting.find(({ attempts }) => attempts > 0);
    if (before.failures === 0 && after.failures > 0 && failed !== undefined)
      say(`${target.shown}: ${failed.detail}; notices are sent again for a day`);
  }

  return {
    name: target.name,
    beginsAt: 'head',
    get idleMs() {
      const isBusy = sending !== null || (last !== null && nextDue(last.queue, now()) !== null);
      return isBusy ? 0 : lookEveryMs;
    },
    async handle({ events }, signal, text) {
      const isKept = last?.text === text;
      if (isKept) settled.clear();
      const before = last !== null && isKept ? last.queue : readQueue(text);
      last = { text, queue: before };
      let queue = withOutcome(withEvents(before, events));
      const due = sending === null ? nextDue(queue, now()) : null;
      if (due !== null) sending = begin(due, signal);
      if (sending !== null && events.length === 0) {
        await sending.attempt;
        queue = withOutcome(queue);
      }
      if (queue === before) return undefined;
      const written = JSON.stringify(queue);
      last = { text: written, queue };
      return written;
    },
  };
}

function planDeliveries(
  events: SubscriberBatch['events'],
  target: Target,
  nowMs: number,
): readonly Waiting[] {
  return events.flatMap(({ event, receivedAtMs }) => {
    if (event.type !== 'pi.budget.crossed.v1') return [];
    const body = target.bodyOf({ event, receivedAtMs });
    if (body === null) return [];
    const { id, data } = event;
    const waits = { sinceMs: nowMs, attempts: 0, detail: null, isFirst: data.isFirst };
    return [{ id, budget: data.budget, state: data.to, body, ...waits }];
  });
}
