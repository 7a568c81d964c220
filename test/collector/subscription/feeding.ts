/** Subscribers on a real store, and what they are handed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { createPace } from '../../../collector/subscription/pace.ts';
import type { Subscriber, SubscriberBatch } from '../../../collector/subscription/subscriber.ts';
import {
  createSubscribers,
  type Subscribers,
  type SubscribersOptions,
} from '../../../collector/subscription/subscribers.ts';
import type { Subscription } from '../../../collector/subscription/subscription.ts';
import type { Ledger } from './ledger.ts';

/** Gets every batch at once. */
const hurried: typeof createPace = () => ({
  turn: () => nextTurn(),
  took: () => undefined,
});

/** Remembers what it was handed. */
export function collecting(name: string, change: Partial<Subscriber> = {}) {
  const batches: SubscriberBatch[] = [];
  const subscriber: Subscriber = {
    name,
    beginsAt: 'start',
    async handle(batch, signal, state) {
      const next = await change.handle?.(batch, signal, state);
      batches.push(batch);
      return next;
    },
    ...(change.beginsAt === undefined ? {} : { beginsAt: change.beginsAt }),
    ...(change.recall === undefined ? {} : { recall: change.recall }),
  };
  const positions = (): number[] =>
    batches.flatMap(({ events }) => events.map(({ position }) => position));
  return { subscriber, batches, positions };
}

export function feed(
  ledger: Ledger,
  subscription: Subscription,
  subscribers: readonly Subscriber[],
  options: Partial<SubscribersOptions> = {},
): Subscribers {
  const all = createSubscribers({
    log: ledger.log,
    checkpoints: ledger.checkpoints,
    subscription,
    subscribers,
    onError: (error) => ledger.errors.push(error as Error),
    onNotice: (message) => ledger.notices.push(message),
    paced: hurried,
    ...options,
  });
  onTestFinished(() => all.stop());
  all.start();
  return all;
}

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

export async function reaches(ledger: Ledger, name: string, position: number): Promise<void> {
  await expect
    .poll(() => ledger.checkpoints.read(name), { interval: 5 })
    .toMatchObject({ position });
}
