import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import type { Commit, Views } from '../../../collector/views/views.ts';
import { contentsOf, expectContents, expectedContents, ledgers, readEvents } from './ledger.ts';
import { story } from './story.ts';

const projections = createProjections(noRules);

const { open } = ledgers();

describe('subscription', () => {
  it('folds what the log holds into every projection', async () => {
    const ledger = open();
    await ledger.append(story(1, 500));
    await ledger.subscribe().catchUp();
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 500)));
    expect(ledger.errors).toEqual([]);
  });

  it('has empty views of an empty log, so that they can be asked', async () => {
    const ledger = open();
    await ledger.subscribe().catchUp();
    for (const projection of projections)
      expect(await ledger.views.live(projection)).toMatchObject({ checkpoint: 0 });
  });

  it('follows the log when it is woken, without being waited for', async () => {
    const ledger = open();
    const subscription = ledger.subscribe();
    subscription.wake();
    for (let first = 1; first <= 401; first += 100) {
      await ledger.append(story(first, 100));
      subscription.wake();
    }
    await expect
      .poll(async () => (await subscription.state()).every(({ position }) => position === 500))
      .toBe(true);
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 500)));
  });

  it('goes on where the one before it stopped', async () => {
    const ledger = open();
    await ledger.append(story(1, 300));
    const first = ledger.subscribe();
    await first.catchUp();
    await first.stop();
    await ledger.append(story(301, 300));
    const commits: Commit[] = [];
    await ledger.subscribe({ views: watching(ledger.views, commits) }).catchUp();
    expect(commits.every(({ from }) => from >= 300)).toBe(true);
    expectContents(await contentsOf(ledger.views), expectedContents(story(1, 600)));
  });

  it('reads once for all projections that stand at the same place', async () => {
    const ledger = open();
    await ledger.append(story(1, 2_500));
    const reads: number[] = [];
    const log = {
      ...ledger.log,
      read(after: number, limit: number) {
        reads.push(after);
        return ledger.log.read(after, limit);
      },
    };
    await ledger.subscribe({ log }).catchUp();
    expect(reads).toEqual([0, 1_000, 2_000]);
  });

  it('has the same views for any size of batch and memory, and bounded commits', async () => {
    const ledger = open();
    await ledger.append(story(1, 700));
    for (const [batchEventsMax, memoryCharsMax] of [
      [1, 0],
      [7, 0],
      [100, 3_000],
      [100_000, 100_000_000],
    ] as const) {
      const commits: Commit[] = [];
      const subscription = ledger.subscribe({
        views: watching(ledger.views, commits),
        batchEventsMax,
        memoryCharsMax,
      });
      await subscription.rebuild('sessions');
      await subscription.rebuild('producers');
      expect(Math.max(...commits.map(({ from, to }) => to - from))).toBeLessThanOrEqual(
        batchEventsMax,
      );
      expectContents(await contentsOf(ledger.views), expectedContents(story(1, 700)));
      await subscription.stop();
    }
  });

  const restMsMin = 100;

  it('commits at once when it is idle, and rarely while events keep coming', async () => {
    const ledger = open();
    const commits: Commit[] = [];
    const subscription = ledger.subscribe({
      views: watching(ledger.views, commits),
      projections: projections.slice(0, 1),
    });
    await subscription.catchUp();
    const startMs = performance.now();
    for (let number = 1; number <= 100; number++) {
      await ledger.append(story(number, 1));
      subscription.wake();
      if (number === 1) await expect.poll(() => commits.length).toBe(1);
      await delay(2);
    }
    await expect.poll(() => commits.at(-1)?.to).toBe(100);
    expect(commits[0]?.to).toBe(1);
    expect(commits.length).toBeLessThan(3 + (performance.now() - startMs) / restMsMin);
  });

  it.each([
    { commitMs: 5, pauseMs: 100 },
    { commitMs: 50, pauseMs: 500 },
    { commitMs: 5_000, pauseMs: 1_000 },
  ])(
    'pauses the longer the longer a commit takes, bounded: $pauseMs ms after $commitMs ms',
    async ({ commitMs, pauseMs }) => {
      const ledger = open();
      const commits: Commit[] = [];
      const clock = { ms: 0, looks: 0 };
      const views = watching(ledger.views, commits, () => {
        clock.ms += commitMs;
      });
      const monotonicMs = () => {
        clock.looks += 1;
        return clock.ms;
      };
      const subscription = ledger.subscribe({
        views,
        monotonicMs,
        projections: projections.slice(0, 1),
      });
      await subscription.catchUp();
      await ledger.append(story(1, 1));
      subscription.wake();
      await expect.poll(() => commits.length).toBe(1);
      clock.ms = commitMs + pauseMs - 1;
      await ledger.append(story(2, 1));
      clock.looks = 0;
      subscription.wake();
      await expect.poll(() => clock.looks).toBeGreaterThan(3);
      expect(commits).toHaveLength(1);
      clock.ms += 1;
      await expect.poll(() => commits.at(-1)?.to).toBe(2);
    },
  );

  it('leaves the thread to others between reads', async () => {
    const ledger = open();
    await ledger.append(story(1, 5_000));
    let turns = 0;
    let isFolding = true;
    const count = () => {
      turns += 1;
      if (isFolding) setImmediate(count);
    };
    setImmediate(count);
    await ledger.subscribe().catchUp();
    isFolding = false;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('commits what it has folded when it stops, and then does no more', async () => {
    const ledger = open();
    const subscription = ledger.subscribe();
    await subscription.catchUp();
    await ledger.append(story(1, 1));
    subscription.wake();
    await expect.poll(async () => (await subscription.state())[0]?.position).toBe(1);
    await ledger.append(story(2, 9));
    subscription.wake();
    await delay(5);
    await subscription.stop();
    const stopped = await contentsOf(ledger.views);
    expectContents(
      stopped,
      expectedContents(
        story(1, (await ledger.views.live(projections[0] as never))?.checkpoint ?? 0),
      ),
    );
    await ledger.append(story(11, 5));
    subscription.wake();
    await delay(5);
    expectContents(await contentsOf(ledger.views), stopped);
    await expect(subscription.catchUp()).rejects.toThrow('stopped');
    await expect(subscription.rebuild('sessions')).rejects.toThrow('stopped');
  });

  it('leaves nobody waiting who asked while it stopped', async () => {
    const ledger = open();
    const answer = Promise.withResolvers<number>();
    const subscription = ledger.subscribe({ log: { ...ledger.log, head: () => answer.promise } });
    const caughtUp = expect(subscription.catchUp()).rejects.toThrow('stopped');
    await subscription.stop();
    answer.resolve(1);
    await caughtUp;
  });

  it('shares a store with another one: who is late reads again', async () => {
    const ledger = open();
    await ledger.append(story(1, 200));
    const [one, other] = [ledger.subscribe(), ledger.subscribe()];
    for (let first = 201; first <= 801; first += 100) {
      await Promise.all([one.catchUp(), other.catchUp()]);
      await ledger.append(story(first, 100));
      one.wake();
      other.wake();
    }
    await Promise.all([one.catchUp(), other.catchUp()]);
    expectContents(await contentsOf(ledger.views), expectedContents(await readEvents(ledger.log)));
    expect(ledger.errors).toEqual([]);
  });
});

function watching(views: Views, commits: Commit[], onCommit?: () => void): Views {
  return {
    ...views,
    commit(projection, commit) {
      onCommit?.();
      commits.push(commit);
      return views.commit(projection, commit);
    },
  };
}
