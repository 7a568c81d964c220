import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startRole } from '../../../collector/roles/leadership.ts';
import type { WriteRight } from '../../../collector/stores/store.ts';

interface Story {
  readonly right: WriteRight;
  readonly lines: string[];
  give(): void;
  lose(): void;
}

/** A right that is given and lost by hand, and what the role did. */
function createStory(): Story & {
  start(options?: { failing?: 'enter' | 'leave' }): ReturnType<typeof startRole>;
} {
  const lines: string[] = [];
  let isGiven = false;
  let loss = Promise.withResolvers<void>();
  const right: WriteRight = {
    isHeld: () => isGiven,
    take: async () => isGiven,
    lost: () => loss.promise,
  };
  const say = async (word: 'enter' | 'leave', failing: string | undefined): Promise<void> => {
    await sleep(1);
    lines.push(word);
    if (failing === word) throw new Error(`${word} failed`);
  };
  return {
    right,
    lines,
    give() {
      isGiven = true;
    },
    lose() {
      isGiven = false;
      loss.resolve();
      loss = Promise.withResolvers<void>();
    },
    start: ({ failing } = {}) =>
      startRole({
        right,
        enter: () => say('enter', failing),
        leave: () => say('leave', failing),
        pollMs: 2,
        onError: (error) => lines.push((error as Error).message),
      }),
  };
}

async function hasSaid(story: Story, ...lines: string[]): Promise<void> {
  await expect.poll(() => story.lines, { interval: 2 }).toEqual(lines);
}

describe("a collector's role", () => {
  it('begins to work when it gets the right to write, ends when it is lost, and begins again', async () => {
    const story = createStory();
    const role = story.start();
    await sleep(20);
    expect([story.lines, role.role()]).toEqual([[], 'standby']);
    story.give();
    await hasSaid(story, 'enter');
    expect(role.role()).toBe('active');
    story.lose();
    await hasSaid(story, 'enter', 'leave');
    expect(role.role()).toBe('standby');
    story.give();
    await hasSaid(story, 'enter', 'leave', 'enter');
    await role.stop();
    expect(story.lines).toEqual(['enter', 'leave', 'enter', 'leave']);
  });

  it('stops while it stands by, without having worked', async () => {
    const story = createStory();
    const role = story.start();
    await role.stop();
    story.give();
    await sleep(20);
    expect(story.lines).toEqual([]);
  });

  it.each(['enter', 'leave'] as const)('reports that %s failed, and goes on', async (failing) => {
    const story = createStory();
    story.give();
    const role = story.start({ failing });
    await expect.poll(() => story.lines).toContain('enter');
    story.lose();
    await expect
      .poll(() => story.lines.slice(0, 3))
      .toEqual(
        failing === 'enter'
          ? ['enter', 'enter failed', 'leave']
          : ['enter', 'leave', 'leave failed'],
      );
    await role.stop();
  });
});
