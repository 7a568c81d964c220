import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { producers } from '../../../collector/projections/producers.ts';
import type { Emit, Projection } from '../../../collector/projections/projection.ts';
import { sessions } from '../../../collector/projections/sessions.ts';
import { SkippedEventError, skippedMax } from '../../../collector/subscription/follower.ts';
import type { Views } from '../../../collector/views/views.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

describe('a store that fails', () => {
  it.each([
    ['before it commits', { before: [2, 3, 6, 17, 18], after: [] }],
    ['after it committed', { before: [], after: [1, 4, 16, 17] }],
    ['before and after', { before: [1, 2, 5], after: [3, 7] }],
  ])('is tried again until it answers, and nothing is lost or counted twice (it fails %s)', async (_when, failures) => {
    const ledger = open();
    await ledger.append(story(1, 400));
    const subscription = ledger.subscribe({ views: failing(ledger.views, failures), batchEventsMax: 50 });
    const reach = (head: number) =>
      expect.poll(async () => (await subscription.state()).every(({ position }) => position === head)).toBe(true);
    subscription.wake();
    await reach(400);
    await ledger.append(story(401, 200));
    subscription.wake();
    await reach(600);
    expect(ledger.errors.map(({ message }) => message)).toEqual(
      new Array(failures.before.length + failures.after.length).fill('disk on fire'),
    );
    expect(subscription.failure()).toBeNull();
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 600)));
  });

  it('is told to who waits and to who asks, while it is tried again', async () => {
    const ledger = open();
    await ledger.append(story(1, 10));
    const views = { ...ledger.views, commit: () => Promise.reject(new Error('disk on fire')) };
    const subscription = ledger.subscribe({ views });
    await expect(subscription.catchUp()).rejects.toThrow('disk on fire');
    await expect(subscription.rebuild('sessions')).rejects.toThrow('disk on fire');
    expect(subscription.failure()?.message).toBe('disk on fire');
    await subscription.stop();
  });

  it('does not keep it from stopping', async () => {
    const ledger = open();
    const log = { ...ledger.log, read: () => Promise.reject(new Error('disk gone')) };
    const subscription = ledger.subscribe({ log });
    subscription.wake();
    await expect.poll(() => subscription.failure()?.message).toBe('disk gone');
    await subscription.stop();
  });
});

describe('an event that a projection cannot fold', () => {
  it('is left out of that projection, reported once, and counted; everything else goes on', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const poisoned = [{ ...sessions, evolve: throwingAt([7, 150, 151]) } as Projection, producers as Projection];
    const subscription = ledger.subscribe({ projections: poisoned, batchEventsMax: 100 });
    await subscription.catchUp();
    expect(await subscription.state()).toMatchObject([
      { projection: 'sessions', position: 300, skipped: 3 },
      { projection: 'producers', position: 300, skipped: 0 },
    ]);
    expect(ledger.errors.map((error) => error instanceof SkippedEventError && error.position)).toEqual([7, 150, 151]);
    expect(subscription.failure()).toBeNull();
    const given = story(1, 300);
    const foldable = given.filter((_, index) => ![7, 150, 151].includes(index + 1));
    expectContents(await contentsOf(ledger.views), { ...expectedContents(foldable), producers: expectedContents(given).producers });
  });

  it('stops the projection when there are too many, because then the projection is at fault; the others go on', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const all = Array.from({ length: 300 }, (_, index) => index + 1);
    const poisoned = [{ ...sessions, evolve: throwingAt(all.slice(20)) } as Projection, producers as Projection];
    const subscription = ledger.subscribe({ projections: poisoned });
    await expect(subscription.catchUp()).rejects.toThrow('sessions stopped');
    expect(subscription.failure()?.message).toContain('sessions stopped');
    expect(ledger.errors).toHaveLength(skippedMax + 1);
    await expect.poll(async () => (await subscription.state())[1]?.position).toBe(300);
    await ledger.append(story(301, 10));
    subscription.wake();
    await expect.poll(async () => (await subscription.state())[1]?.position).toBe(310);
  });

  it('cannot be made by the events that the contract allows: their names and numbers at the limits are folded', async () => {
    const ledger = open();
    const given = story(1, 60).map((event, index) => {
      const odd = ['__proto__', 'constructor', '\u0000', '\ud800', 'x'.repeat(500)][index % 5] as string;
      if (event.type === 'pi.turn.completed.v1') {
        const spend = { ...event.data.spend, model: odd, provider: odd, inputTokens: Number.MAX_SAFE_INTEGER };
        return { ...event, subject: odd, data: { ...event.data, spend } };
      }
      if (event.type === 'pi.tool.completed.v1') return { ...event, subject: odd, data: { ...event.data, toolName: odd } };
      if (event.type === 'pi.session.attributed.v1') {
        return { ...event, subject: odd, data: { ...event.data, user: odd, billing: JSON.parse(`{${JSON.stringify(odd)}:"metered"}`) } };
      }
      return event;
    });
    await ledger.append(given);
    const subscription = ledger.subscribe({ memoryCharsMax: 0, batchEventsMax: 10 });
    await subscription.catchUp();
    expect(ledger.errors).toEqual([]);
    expect((await contentsOf(ledger.views)).usage).toEqual(expectedContents(given).usage);
  });
});

/** Fails certain commits, counted from 1: before they are made, or after. */
function failing(views: Views, { before, after }: { before: readonly number[]; after: readonly number[] }): Views {
  let commits = 0;
  return {
    ...views,
    async commit(projection, commit) {
      commits += 1;
      const number = commits;
      if (before.includes(number)) throw new Error('disk on fire');
      const outcome = await views.commit(projection, commit);
      if (after.includes(number)) throw new Error('disk on fire');
      return outcome;
    },
  };
}

/** Evolves half, emits, and throws. */
function throwingAt(positions: readonly number[]) {
  return (state: unknown, stored: StoredEvent, emit: Emit): unknown => {
    const evolved = sessions.evolve(state as never, stored, emit);
    if (positions.includes(stored.position)) throw new Error(`cannot fold ${stored.position}`);
    return evolved;
  };
}
