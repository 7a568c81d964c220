import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createIdleSubscription } from '../../../collector/subscription/idle-subscription.ts';
import {
  createSwitchingSubscription,
  type SwitchingSubscription,
} from '../../../collector/subscription/switching-subscription.ts';
import { ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

describe('a listener to commits', () => {
  it('hears rising positions, each after every view has committed it', async () => {
    const ledger = open();
    const subscription = ledger.subscribe();
    const heard: number[] = [];
    const behind: Promise<number>[] = [];
    subscription.onCommitted((position) => {
      heard.push(position);
      const states = subscription.state();
      behind.push(states.then((all) => all.filter((each) => each.position < position).length));
    });
    for (let first = 1; first <= 901; first += 100) {
      await ledger.append(story(first, 100));
      subscription.wake();
      if (first % 300 === 1) await subscription.catchUp();
    }
    await subscription.catchUp();
    expect(heard.at(-1)).toBe(1_000);
    expect(heard).toEqual([...new Set(heard)].toSorted((a, b) => a - b));
    expect(new Set(await Promise.all(behind))).toEqual(new Set([0]));
  });

  it('hears at once how far it is, and nothing any more after it has left', async () => {
    const ledger = open();
    await ledger.append(story(1, 10));
    const subscription = ledger.subscribe();
    await subscription.catchUp();
    const heard: number[] = [];
    const leave = subscription.onCommitted((position) => heard.push(position));
    expect(heard).toEqual([10]);
    leave();
    await ledger.append(story(11, 5));
    await subscription.catchUp();
    expect(heard).toEqual([10]);
  });

  it('stops nobody by throwing: that is reported', async () => {
    const ledger = open();
    await ledger.append(story(1, 10));
    const subscription = ledger.subscribe();
    const heard: number[] = [];
    subscription.onCommitted(() => {
      throw new Error('a page is gone');
    });
    subscription.onCommitted((position) => heard.push(position));
    await subscription.catchUp();
    expect(heard).toEqual([10]);
    expect(ledger.errors.map(({ message }) => message)).toEqual(['a page is gone']);
  });

  it('hears nothing while a view is folded for the first time', async () => {
    const ledger = open();
    await ledger.append(story(1, 500));
    const subscription = ledger.subscribe({ batchEventsMax: 50 });
    const heard: number[] = [];
    subscription.onCommitted((position) => heard.push(position));
    await subscription.catchUp();
    expect(heard[0]).toBe(500);
  });

  it('hears the commits of every term of leadership', async () => {
    const ledger = open();
    const subscription: SwitchingSubscription = createSwitchingSubscription({
      create: () => ledger.subscribe(),
      idle: createIdleSubscription({ ...ledger, projections: [] }),
      onError: (error) => ledger.errors.push(error as Error),
    });
    const heard: number[] = [];
    subscription.onCommitted((position) => heard.push(position));
    for (const head of [5, 10]) {
      await ledger.append(story(head - 4, 5));
      await delay(2);
      expect(heard.at(-1) ?? 0).toBe(head - 5);
      subscription.begin();
      await subscription.catchUp();
      await subscription.end();
    }
    expect(heard).toEqual([5, 10]);
    expect(ledger.errors).toEqual([]);
  });
});
