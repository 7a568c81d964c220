/** Subscribers on a real store, fed by a real subscription. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createHealthReader } from '../../../collector/process/health.ts';
import type { Subscriber, SubscriberBatch } from '../../../collector/subscription/subscriber.ts';
import {
  createSubscribers,
  type Subscribers,
  type SubscribersOptions,
} from '../../../collector/subscription/subscribers.ts';
import type { Subscription } from '../../../collector/subscription/subscription.ts';
import { type Ledger, ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();
const fed: Subscribers[] = [];
afterEach(async () => {
  for (const subscribers of fed.splice(0)) await subscribers.stop();
});

/** Remembers what it was handed. */
function collecting(name: string, change: Partial<Subscriber> = {}) {
  const batches: SubscriberBatch[] = [];
  const subscriber: Subscriber = {
    name,
    beginsAt: 'start',
    async handle(batch, signal) {
      await change.handle?.(batch, signal);
      batches.push(batch);
    },
    ...(change.beginsAt === undefined ? {} : { beginsAt: change.beginsAt }),
  };
  const positions = (): number[] =>
    batches.flatMap(({ events }) => events.map(({ position }) => position));
  return { subscriber, batches, positions };
}

function feed(
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
    ...options,
  });
  fed.push(all);
  all.start();
  return all;
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function reaches(ledger: Ledger, name: string, position: number): Promise<void> {
  await expect.poll(() => ledger.checkpoints.read(name), { interval: 5 }).toBe(position);
}

describe('a subscriber', () => {
  it('is handed every event in order, in batches that join, and its checkpoint follows', async () => {
    const ledger = open();
    await ledger.append(story(1, 250));
    const subscription = ledger.subscribe();
    const traces = collecting('traces');
    feed(ledger, subscription, [traces.subscriber], { batchEventsMax: 100 });
    subscription.wake();
    await reaches(ledger, 'traces', 250);
    await ledger.append(story(251, 50));
    subscription.wake();
    await reaches(ledger, 'traces', 300);
    expect(traces.positions()).toEqual(numbers(1, 300));
    expect(traces.batches.map(({ from }) => from)).toEqual([
      0,
      ...traces.batches.slice(0, -1).map(({ to }) => to),
    ]);
    expect(traces.batches.every(({ events }) => events.length <= 100)).toBe(true);
    expect(ledger.errors).toEqual([]);
  });

  it('is handed an event when every view has committed it', async () => {
    const ledger = open();
    const subscription = ledger.subscribe();
    const behind: number[] = [];
    const { subscriber } = collecting('traces', {
      async handle({ to }) {
        const states = await subscription.state();
        behind.push(...states.map(({ position }) => position).filter((position) => position < to));
      },
    });
    feed(ledger, subscription, [subscriber]);
    for (let first = 1; first <= 400; first += 40) {
      await ledger.append(story(first, 40));
      subscription.wake();
      await sleep(3);
    }
    await reaches(ledger, 'traces', 400);
    expect(behind).toEqual([]);
  });

  it('goes on where it was when the process ends and another begins', async () => {
    const ledger = open();
    await ledger.append(story(1, 100));
    const subscription = ledger.subscribe();
    const first = collecting('traces');
    const before = feed(ledger, subscription, [first.subscriber]);
    subscription.wake();
    await reaches(ledger, 'traces', 100);
    await before.stop();
    await ledger.append(story(101, 20));
    subscription.wake();
    const second = collecting('traces');
    feed(ledger, subscription, [second.subscriber]);
    await reaches(ledger, 'traces', 120);
    expect(first.positions()).toEqual(numbers(1, 100));
    expect(second.positions()).toEqual(numbers(101, 120));
  });

  it('that begins at the head is not handed what was there before, even when it starts later', async () => {
    const ledger = open();
    await ledger.append(story(1, 100));
    const subscription = ledger.subscribe();
    const traces = collecting('traces', { beginsAt: 'head' });
    const before = feed(ledger, subscription, [traces.subscriber]);
    await subscription.catchUp();
    await reaches(ledger, 'traces', 100);
    await before.stop();
    await ledger.append(story(101, 10));
    feed(ledger, subscription, [traces.subscriber]);
    await subscription.catchUp();
    await reaches(ledger, 'traces', 110);
    expect(traces.positions()).toEqual(numbers(101, 110));
  });

  it('is told of positions whose events were deleted, without events', async () => {
    const ledger = open();
    await ledger.append(story(1, 30));
    const subscription = ledger.subscribe();
    const traces = collecting('traces');
    const isDeleted = ({ position }: { position: number }) => position > 10;
    const log = {
      ...ledger.log,
      read: async (after: number, limit: number) =>
        (await ledger.log.read(after, limit)).filter((event) => !isDeleted(event)),
    };
    feed(ledger, subscription, [traces.subscriber], { log });
    await subscription.catchUp();
    await reaches(ledger, 'traces', 30);
    expect(traces.batches.map(({ from, to, events }) => [from, to, events.length])).toEqual([
      [0, 10, 10],
      [10, 30, 0],
    ]);
  });

  it('that fails is tried again from its checkpoint, says why, and stops neither views nor others', async () => {
    const ledger = open();
    await ledger.append(story(1, 50));
    const subscription = ledger.subscribe();
    let failures = 3;
    const tried: number[] = [];
    const failing = collecting('failing', {
      async handle({ from }) {
        tried.push(from);
        if (failures > 0) throw new Error(`no answer, ${failures > 1 ? 'again' : 'for now'}`);
      },
    });
    const well = collecting('well');
    const subscribers = feed(ledger, subscription, [failing.subscriber, well.subscriber], {
      batchEventsMax: 10,
    });
    await subscription.catchUp();
    await reaches(ledger, 'well', 50);
    await expect
      .poll(() => subscribers.state())
      .toEqual([
        { name: 'failing', position: 0, head: 50, failure: 'no answer, again' },
        { name: 'well', position: 50, head: 50, failure: null },
      ]);
    failures = 0;
    await reaches(ledger, 'failing', 50);
    expect(failing.positions()).toEqual(numbers(1, 50));
    expect(new Set(tried.slice(0, 2))).toEqual(new Set([0]));
    await expect.poll(async () => (await subscribers.state())[0]?.failure).toBeNull();
    expect(ledger.errors.map(({ message }) => message)).toEqual([
      'The subscriber failing does not advance: no answer, again',
    ]);
  });

  it('that takes for ever holds up neither the views nor the others, and ends when it is stopped', async () => {
    const ledger = open();
    await ledger.append(story(1, 20));
    const subscription = ledger.subscribe();
    const hanging = collecting('hanging', {
      handle: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    });
    const well = collecting('well');
    const subscribers = feed(ledger, subscription, [hanging.subscriber, well.subscriber]);
    await subscription.catchUp();
    await ledger.append(story(21, 20));
    await subscription.catchUp();
    await reaches(ledger, 'well', 40);
    await subscribers.stop();
    expect(await ledger.checkpoints.read('hanging')).toBe(0);
    expect(ledger.errors).toEqual([]);
  });

  it('whose checkpoint another process moved goes on from there', async () => {
    const ledger = open();
    await ledger.append(story(1, 40));
    const subscription = ledger.subscribe();
    const gate = Promise.withResolvers<void>();
    const traces = collecting('traces', { handle: () => gate.promise });
    feed(ledger, subscription, [traces.subscriber], { batchEventsMax: 10 });
    await subscription.catchUp();
    await reaches(ledger, 'traces', 0);
    await ledger.checkpoints.move('traces', 0, 30);
    gate.resolve();
    await reaches(ledger, 'traces', 40);
    expect(traces.batches.map(({ from }) => from)).toEqual([0, 30]);
    expect(ledger.errors[0]?.message).toContain('Another process has moved its checkpoint');
  });

  it('misses nothing, whatever fails between the log, itself and its checkpoint', async () => {
    const fault = fc.constantFrom('none', 'read', 'handle', 'move', 'move done', 'restart');
    const runs = fc.array(fc.tuple(fault, fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(runs, async (steps) => {
        const ledger = open();
        const subscription = ledger.subscribe();
        const traces = collecting('traces');
        let broken = 'none';
        const breaking = async <Result>(name: string, work: () => Promise<Result>) => {
          if (broken !== name) return work();
          broken = 'none';
          throw new Error(name);
        };
        const handle: Subscriber['handle'] = (batch, signal) =>
          breaking('handle', () => traces.subscriber.handle(batch, signal));
        const options: Partial<SubscribersOptions> = {
          batchEventsMax: 4,
          log: {
            ...ledger.log,
            read: (...asked) => breaking('read', () => ledger.log.read(...asked)),
          },
          checkpoints: {
            ...ledger.checkpoints,
            move: (...asked) =>
              breaking('move', async () => {
                const outcome = await ledger.checkpoints.move(...asked);
                return breaking('move done', async () => outcome);
              }),
          },
        };
        let subscribers = feed(ledger, subscription, [{ ...traces.subscriber, handle }], options);
        let head = 0;
        for (const [fault, count] of steps) {
          broken = fault;
          await ledger.append(story(head + 1, count));
          head += count;
          subscription.wake();
          if (fault !== 'restart') continue;
          await subscribers.stop();
          subscribers = feed(ledger, subscription, [{ ...traces.subscriber, handle }], options);
        }
        await reaches(ledger, 'traces', head);
        expect([...new Set(traces.positions())]).toEqual(numbers(1, head));
        await subscribers.stop();
        await subscription.stop();
      }),
      { numRuns: 25 },
    );
  });

  it('has a name of its own', () => {
    const ledger = open();
    const two = [collecting('traces').subscriber, collecting('traces').subscriber];
    expect(() => feed(ledger, ledger.subscribe(), two)).toThrow('one name');
  });
});

describe('the health of a collector', () => {
  it('lists who is handed the log, and warns of those who do not advance', async () => {
    const ledger = open();
    await ledger.append(story(1, 5));
    const subscription = ledger.subscribe();
    const { subscriber } = collecting('traces', {
      handle: () => Promise.reject(new Error('ECONNREFUSED')),
    });
    const subscribers = feed(ledger, subscription, [subscriber]);
    const readHealth = await createHealthReader({
      log: ledger.log,
      subscription,
      subscribers,
      right: { isHeld: () => true, take: async () => true, lost: async () => undefined },
      trouble: () => null,
      version: '0.1.0',
      storeId: 'of the test',
      deadLetters: () => ({ count: 0, isFull: false, notKept: 0 }),
    });
    await subscription.catchUp();
    await expect.poll(readHealth).toMatchObject({
      ready: true,
      warnings: ['The subscriber traces is at 0 of 5 events and does not advance: ECONNREFUSED'],
      subscribers: [{ name: 'traces', position: 0, head: 5, failure: 'ECONNREFUSED' }],
    });
  });
});
