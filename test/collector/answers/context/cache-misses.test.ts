import { describe, expect, it } from 'vitest';
import { cacheMissesOf } from '../../../../collector/answers/context/cache-misses.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { recordedFacts, Story } from './given.ts';

describe('cache misses', () => {
  const missAfter = (between: (story: Story) => unknown, model = 'small') => {
    const story = new Story().user('u1').turn('t1', { cacheReadTokens: 5_000, model: 'small' });
    between(story);
    const facts = story.turn('t2', { cacheReadTokens: 1_000, inputTokens: 3_000, model }).facts();
    return cacheMissesOf(createEntryTree(facts), facts.fixtures).map(({ reason, missedTokens }) => [
      reason,
      missedTokens,
    ]);
  };

  it('say why, as far as it is known', () => {
    expect(missAfter(() => undefined)).toEqual([['unknown', 3_000]]);
    expect(missAfter(() => undefined, 'large')).toEqual([['model', 3_000]]);
    expect(missAfter((story) => story.wait(400))).toEqual([['idle5min', 3_000]]);
    expect(missAfter((story) => story.wait(4_000))).toEqual([['idle1h', 3_000]]);
    expect(missAfter((story) => story.compaction('c1', {}))).toEqual([['compaction', 3_000]]);
    expect(
      missAfter((story) =>
        story.entry('pi.message.appended.v1', 'm1', { role: 'system', toolsAdded: 1 }),
      ),
    ).toEqual([['tools', 3_000]]);
    expect(missAfter((story) => story.entry('pi.branch.summarized.v1', 'b1', {}))).toEqual([
      ['branch', 3_000],
    ]);
  });

  it('are found in a recorded session where the model was changed', () => {
    const facts = recordedFacts('pi15/rpc-main/2026-11-21T21-13-45');
    const misses = cacheMissesOf(createEntryTree(facts), facts.fixtures);
    expect(misses).toEqual([
      expect.objectContaining({
        entryId: '7d447868',
        fromTokens: 5_000,
        toTokens: 0,
        missedTokens: 2_100,
        reason: 'model',
      }),
    ]);
  });
});
