/**
 * Sends notices of budgets to one webhook.
 *
 * Contract: that of `Subscriber`, but an endpoint that fails never fails a batch: what could not
 * be delivered waits in the state, in order, and is tried again for a day. Whoever sends it again,
 * also after a kill between an answer and the checkpoint, sends the same id.
 */

import type { Webhook } from '../../config/webhooks.ts';
import type { Subscriber, SubscriberBatch } from '../../subscription/subscriber.ts';
import { noticeOf } from './notice.ts';
import { type PostOptions, post } from './post.ts';
import {
  afterAttempt,
  nextDue,
  type Queue,
  readQueue,
  type Waiting,
  withNew,
  withoutExpired,
} from './queue.ts';
import { nameOf, shownOf } from './webhook.ts';

export interface WebhookOptions extends PostOptions {
  random(): number;
  /** One line for the log, without secrets. Must not throw. */
  say(message: string): void;
}

/** How often it looks whether a delivery is due. */
const idleMs = 1_000;

export function createWebhook(webhook: Webhook, options: WebhookOptions): Subscriber {
  const { now, random, say } = options;
  /** What was resolved with last, so that it need not be read again. */
  let last: { readonly text: string | null; readonly queue: Queue } | null = null;

  async function work(queue: Queue, signal: AbortSignal): Promise<Queue> {
    let rest = withoutExpired(queue, now());
    for (let due = nextDue(rest, now()); due !== null; due = nextDue(rest, now())) {
      const attempt = await post(webhook, due, options, signal).catch(() => null);
      if (attempt === null) break; // it stops: what was not sent waits
      rest = afterAttempt(rest, due, attempt, { nowMs: now(), random: random() });
    }
    return rest;
  }

  function tell(before: Queue, after: Queue): void {
    const known = new Set(before.done.map(({ id }) => id));
    for (const { id, budget, status, detail, attempts } of after.done)
      if (!known.has(id) && status !== 'delivered')
        say(
          `${shownOf(webhook)}: the notice of the budget ${budget} is ${status} after ` +
            `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${detail ?? 'not sent'}`,
        );
    if (before.failures === 0 && after.failures > 0)
      say(`${shownOf(webhook)}: ${after.waiting[0]?.detail}; notices are sent again for a day`);
  }

  return {
    name: nameOf(webhook),
    beginsAt: 'head',
    idleMs,
    async handle({ events }, signal, text) {
      const before = last?.text === text ? last.queue : readQueue(text);
      last = { text, queue: before };
      const queue = withNew(before, deliveriesOf(events, webhook, now()), now());
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
  webhook: Webhook,
  nowMs: number,
): readonly Waiting[] {
  return events.flatMap(({ event, receivedAtMs }) => {
    if (event.type !== 'pi.budget.crossed.v1') return [];
    const body = noticeOf({ event, receivedAtMs }, webhook);
    if (body === null) return [];
    const { id, data } = event;
    const waits = { sinceMs: nowMs, attempts: 0, detail: null };
    return [{ id, budget: data.budget, state: data.to, body, ...waits }];
  });
}
