import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Views } from '../../../collector/views/views.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { contentsOf, expectContents, expectedContents, ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

describe('a store that fails', () => {
  it.each([
    ['before it commits', { before: [2, 3, 6, 17, 18], after: [] }],
    ['after it committed', { before: [], after: [1, 4, 16, 17] }],
    ['before and after', { before: [1, 2, 5], after: [3, 7] }],
  ])(
    'is tried again until it answers, and nothing is lost or counted twice (it fails %s)',
    async (_when, failures) => {
      const ledger = open();
      await ledger.append(story(1, 400));
      const subscription = ledger.subscribe({
        views: failing(ledger.views, failures),
        batchEventsMax: 50,
      });
      const reach = (head: number) =>
        expect
          .poll(async () => (await subscription.state()).every(({ position }) => position === head))
          .toBe(true);
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
    },
  );

  it('is reported to callers while it is tried again', async () => {
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

describe('a document of a view that cannot be read any more', () => {
  it('has that view folded anew, and stops nothing', async () => {
    const ledger = open();
    await ledger.append(story(1, 200));
    const first = ledger.subscribe({ memoryCharsMax: 0 });
    await first.catchUp();
    await first.stop();
    const { id } = (await ledger.views.live(sessions)) ?? { id: 0 };
    const database = new DatabaseSync(ledger.path);
    database.exec(`UPDATE view_${id}_documents SET body = substr(body, 1, 30)`);
    database.close();
    await ledger.append(story(201, 100));
    const subscription = ledger.subscribe();
    subscription.wake();
    await expect
      .poll(async () => (await subscription.state()).every(({ position }) => position === 300))
      .toBe(true);
    expect(ledger.errors[0]?.message).toContain('folded anew');
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 300)));
  });
});

/** Fails certain commits, counted from 1: before they are made, or after. */
function failing(
  views: Views,
  { before, after }: { before: readonly number[]; after: readonly number[] },
): Views {
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
