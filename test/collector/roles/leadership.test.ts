import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type LeaderTask, startLeadership } from '../../../collector/roles/leadership.ts';
import type { WriteRight } from '../../../collector/stores/store.ts';

interface Story {
  readonly right: WriteRight;
  readonly lines: string[];
  give(): void;
  lose(): void;
}

/** A right that is given and lost by hand, and what was done with it. */
function createStory(): Story & {
  start(options?: { failing?: 'start' | 'stop' }): ReturnType<typeof startLeadership>;
} {
  const lines: string[] = [];
  let isGiven = false;
  let loss = Promise.withResolvers<void>();
  const right: WriteRight = {
    isHeld: () => isGiven,
    take: async () => isGiven,
    lost: () => loss.promise,
  };
  const say = async (word: 'start' | 'stop', failing: string | undefined): Promise<void> => {
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
      startLeadership({
        right,
        tasks: [
          {
            name: 'telling',
            start: () => say('start', failing),
            stop: () => say('stop', failing),
          },
        ],
        pollMs: 2,
        onError: (error) => lines.push((error as Error).message),
      }),
  };
}

async function hasSaid(story: Story, ...lines: string[]): Promise<void> {
  await expect.poll(() => story.lines, { interval: 2 }).toEqual(lines);
}

describe('the leadership of a collector', () => {
  it('starts when it gains the right to write, stops when it loses it, starts again', async () => {
    const story = createStory();
    const leadership = story.start();
    await sleep(20);
    expect(story.lines).toEqual([]);
    story.give();
    await hasSaid(story, 'start');
    story.lose();
    await hasSaid(story, 'start', 'stop');
    story.give();
    await hasSaid(story, 'start', 'stop', 'start');
    await leadership.stop();
    expect(story.lines).toEqual(['start', 'stop', 'start', 'stop']);
  });

  it('stops on standby without having started a task', async () => {
    const story = createStory();
    const leadership = story.start();
    await leadership.stop();
    story.give();
    await sleep(20);
    expect(story.lines).toEqual([]);
  });

  it.each(['start', 'stop'] as const)('reports that %s failed, and goes on', async (failing) => {
    const story = createStory();
    story.give();
    const leadership = story.start({ failing });
    await expect.poll(() => story.lines).toContain('start');
    story.lose();
    await expect
      .poll(() => story.lines.slice(0, 3))
      .toEqual(
        failing === 'start' ? ['start', 'start failed', 'stop'] : ['start', 'stop', 'stop failed'],
      );
    await leadership.stop();
  });

  it('starts tasks in order and stops all in the reverse order, even if one fails', async () => {
    const story = createStory();
    story.give();
    const task = (name: string, isFailing = false): LeaderTask => ({
      name,
      start: () => void story.lines.push(`start ${name}`),
      async stop() {
        story.lines.push(`stop ${name}`);
        if (isFailing) throw new Error(`${name} failed`);
      },
    });
    const leadership = startLeadership({
      right: story.right,
      tasks: [task('one'), task('two', true), task('three')],
      onError: (error) => story.lines.push((error as Error).message),
    });
    await hasSaid(story, 'start one', 'start two', 'start three');
    await leadership.stop();
    expect(story.lines.slice(3)).toEqual(['stop three', 'stop two', 'two failed', 'stop one']);
  });

  it('starts nothing once it is stopped', async () => {
    const story = createStory();
    const taking = Promise.withResolvers<boolean>();
    const early = startLeadership({
      right: { ...story.right, take: () => taking.promise },
      tasks: [
        { name: 'one', start: () => void story.lines.push('one'), stop: async () => undefined },
      ],
      onError: (error) => story.lines.push((error as Error).message),
    });
    const stopped = early.stop();
    taking.resolve(true);
    await stopped;
    expect(story.lines).toEqual([]);

    story.give();
    const begun = Promise.withResolvers<void>();
    const starting = Promise.withResolvers<void>();
    const late = startLeadership({
      right: story.right,
      tasks: [
        {
          name: 'one',
          start() {
            begun.resolve();
            return starting.promise;
          },
          stop: async () => void story.lines.push('one'),
        },
        { name: 'two', start: () => void story.lines.push('two'), stop: async () => undefined },
      ],
      onError: (error) => story.lines.push((error as Error).message),
    });
    await begun.promise;
    const ended = late.stop();
    starting.resolve();
    await ended;
    expect(story.lines).toEqual(['one']);
  });

  it('stops all and tries again after a pause when a task cannot start', async () => {
    const story = createStory();
    story.give();
    let failures = 2;
    const leadership = startLeadership({
      right: story.right,
      tasks: [
        {
          name: 'one',
          start: () => void story.lines.push('start one'),
          stop: async () => void story.lines.push('stop one'),
        },
        {
          name: 'two',
          start() {
            if (failures-- > 0) throw new Error('two cannot start');
            story.lines.push('start two');
          },
          stop: async () => undefined,
        },
      ],
      pollMs: 2,
      onError: (error) => story.lines.push((error as Error).message),
    });
    const failed = ['start one', 'two cannot start', 'stop one'];
    await hasSaid(story, ...failed, ...failed, 'start one', 'start two');
    await leadership.stop();
  });
});
