import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHealthReader } from '../../../collector/process/health.ts';
import type { SubscriberBatch } from '../../../collector/subscription/subscriber.ts';
import { collecting, feed, numbers, reaches } from './feeding.ts';
import { ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();
const nothingLost = { passedOver: 0, losses: { rejected: 0, refused: 0, message: null } };

describe('a subscriber', () => {
  it('is handed every event in order, in adjacent batches; its checkpoint follows', async () => {
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

  it('is told when nothing has come for a while, and may change its state then', async () => {
    const ledger = open();
    await ledger.append(story(1, 10));
    const subscription = ledger.subscribe();
    const idle: { readonly position: number; readonly state: string | null }[] = [];
    const { subscriber } = collecting('traces');
    const patient = {
      ...subscriber,
      idleMs: 5,
      async handle({ events, from, to }: SubscriberBatch, _: AbortSignal, state: string | null) {
        if (events.length > 0) return `events to ${to}`;
        expect(from).toBe(to);
        idle.push({ position: to, state });
        return idle.length === 1 ? 'idle' : undefined;
      },
    };
    const fed = feed(ledger, subscription, [patient]);
    subscription.wake();
    await expect.poll(() => idle.length, { interval: 5 }).toBeGreaterThan(2);
    expect(idle.slice(0, 2)).toEqual([
      { position: 10, state: 'events to 10' },
      { position: 10, state: 'idle' },
    ]);
    await fed.stop();
    const told = idle.length;
    await sleep(20);
    expect(idle).toHaveLength(told);
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

  it('that begins at the head is not handed what was there before', async () => {
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
    expect(ledger.notices).toEqual([
      "The subscriber traces begins at the log's newest event, 100: " +
        'what the store holds already is not exported.',
    ]);
  });

  it('that begins at the head recalls what was there before, and begins with that', async () => {
    const ledger = open();
    await ledger.append(story(1, 100));
    const subscription = ledger.subscribe();
    const recalled: (readonly number[])[] = [];
    const states: (string | null)[] = [];
    const traces = collecting('traces', {
      beginsAt: 'head',
      async recall({ events }, state) {
        recalled.push(events.map(({ position }) => position));
        return `${state ?? ''}${events.length} `;
      },
      async handle(_batch, _signal, state) {
        states.push(state);
        return undefined;
      },
    });
    feed(ledger, subscription, [traces.subscriber], { batchEventsMax: 60 });
    await subscription.catchUp();
    await reaches(ledger, 'traces', 100);
    expect(recalled).toEqual([numbers(1, 60), numbers(61, 100), []]);
    await ledger.append(story(101, 10));
    await subscription.catchUp();
    await reaches(ledger, 'traces', 110);
    expect(traces.positions()).toEqual(numbers(101, 110));
    expect(states).toEqual(['60 40 0 ']);
  });

  it('passes over positions whose events were deleted, and says how many', async () => {
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
    const subscribers = feed(ledger, subscription, [traces.subscriber], { log });
    await subscription.catchUp();
    await reaches(ledger, 'traces', 30);
    expect(traces.batches.map(({ from, to, events }) => [from, to, events.length])).toEqual([
      [0, 10, 10],
      [10, 30, 0],
    ]);
    await expect.poll(() => subscribers.state()).toMatchObject([{ passedOver: 20 }]);
    await subscribers.stop();
    expect(await subscribers.state()).toMatchObject([{ passedOver: 20 }]);
    expect(ledger.notices).toEqual([
      'The subscriber traces passes over 20 events between 10 and 30: ' +
        'retention deleted them before it read them.',
    ]);
  });

  it('that fails is tried again, says why, and stops neither views nor others', async () => {
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
        { name: 'failing', position: 0, head: 50, failure: 'no answer, again', ...nothingLost },
        { name: 'well', position: 50, head: 50, failure: null, ...nothingLost },
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

  it('that hangs delays neither the views nor the others, and ends when stopped', async () => {
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
    expect(await ledger.checkpoints.read('hanging')).toMatchObject({ position: 0 });
    expect(ledger.errors).toEqual([]);
  });

  it('whose checkpoint another process moved goes on from there', async () => {
    const ledger = open();
    await ledger.append(story(1, 40));
    const subscription = ledger.subscribe();
    const gate = Promise.withResolvers<void>();
    const traces = collecting('traces', { handle: () => gate.promise.then(() => undefined) });
    feed(ledger, subscription, [traces.subscriber], { batchEventsMax: 10 });
    await subscription.catchUp();
    await reaches(ledger, 'traces', 0);
    await ledger.checkpoints.move('traces', 0, 30);
    gate.resolve();
    await reaches(ledger, 'traces', 40);
    expect(traces.batches.map(({ from }) => from)).toEqual([0, 30]);
    expect(ledger.errors[0]?.message).toContain('Another process has moved its checkpoint');
  });

  it('is given the state that it resolved with last, also by the next process', async () => {
    const ledger = open();
    const subscription = ledger.subscribe();
    const given: (string | null)[] = [];
    const remembering = collecting('traces', {
      async handle({ to }, _, state) {
        given.push(state);
        return to === 10 ? undefined : `up to ${to}`;
      },
    });
    const first = feed(ledger, subscription, [remembering.subscriber]);
    for (let head = 5; head <= 15; head += 5) {
      await ledger.append(story(head - 4, 5));
      await subscription.catchUp();
      await reaches(ledger, 'traces', head);
    }
    await first.stop();
    await ledger.append(story(16, 5));
    feed(ledger, subscription, [remembering.subscriber]);
    await subscription.catchUp();
    await reaches(ledger, 'traces', 20);
    expect(given).toEqual([null, 'up to 5', 'up to 5', 'up to 15']);
  });

  it('whose state is larger than allowed does not advance, and says why', async () => {
    const ledger = open();
    await ledger.append(story(1, 5));
    const subscription = ledger.subscribe();
    const hoarding = collecting('hoarding', { handle: async () => '.'.repeat(1024 * 1024 + 1) });
    const subscribers = feed(ledger, subscription, [hoarding.subscriber]);
    await subscription.catchUp();
    await expect
      .poll(() => subscribers.state())
      .toMatchObject([
        {
          position: 0,
          failure: 'The state of hoarding is 1048577 bytes long: the limit is 1048576.',
        },
      ]);
  });

  it('has a name of its own', () => {
    const ledger = open();
    const two = [collecting('traces').subscriber, collecting('traces').subscriber];
    expect(() => feed(ledger, ledger.subscribe(), two)).toThrow('one name');
  });
});

describe('the health of a collector', () => {
  it('lists who is handed the log, and warns of what does not go out', async () => {
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
      metricsFailure: () => 'ECONNREFUSED',
      right: { isHeld: () => true, take: async () => true, lost: async () => undefined },
      trouble: () => null,
      version: '0.1.0',
      storeId: 'of the test',
      startedAtMs: 0,
      storeSize: () => ({ kind: 'sqlite', bytes: null }),
      intake: () => [],
      notices: async () => [],
      deadLetters: () => ({ count: 0, isFull: false, notKept: 0 }),
    });
    await subscription.catchUp();
    await expect.poll(readHealth).toMatchObject({
      ready: true,
      warnings: [
        'The subscriber traces is at 0 of 5 events and does not advance: ECONNREFUSED',
        'Metrics are not sent: ECONNREFUSED',
      ],
      subscribers: [{ name: 'traces', position: 0, head: 5, failure: 'ECONNREFUSED' }],
    });
  });
});
