import { describe, expect, it } from 'vitest';
import { createEntryTree, pathTo } from '../../../../collector/answers/context/entry-tree.ts';
import { Story } from './given.ts';
import { sampled, seriesOfStory } from './sampled.ts';

describe('a series', () => {
  it('knows the distance to the threshold from the window that the live host told', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 100, cacheReadTokens: 900, outputTokens: 50, model: 'small' });
    expect(seriesOfStory(story)[0]).toMatchObject({ threshold: null, untilThresholdTokens: null });
    story.live('pi.context.sampled.v1', { ...sampled, windowTokens: 20_000 });
    const threshold = {
      windowTokens: 20_000,
      reserveTokens: 16_384,
      thresholdTokens: 3_616,
      source: 'default',
    };
    expect(seriesOfStory(story)[0]).toMatchObject({
      heldTokens: 1_050,
      threshold,
      untilThresholdTokens: 3_616 - 1_050,
    });
  });

  it('shows the host estimate right after a compaction where it gives one', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 9_000 })
      .compaction('c1', { tokensBefore: 9_000 });
    expect(seriesOfStory(story).at(-1)).toMatchObject({
      kind: 'compaction',
      tokens: null,
      source: 'unknown',
    });
    story.live('pi.context.sampled.v1', {
      ...sampled,
      entryId: 'c1',
      tokens: 800,
      source: 'estimate',
    });
    expect(seriesOfStory(story).at(-1)).toMatchObject({ tokens: 800, source: 'estimate' });
  });

  it('takes the estimate on the entry before that of a live sample, as the audit does', () => {
    const story = new Story().user('u1').turn('t1', { inputTokens: 9_000 });
    story.compaction('c1', { tokensBefore: 9_000, tokensAfterEstimated: 700 });
    story.live('pi.context.sampled.v1', {
      ...sampled,
      entryId: 'c1',
      tokens: 800,
      source: 'estimate',
    });
    expect(seriesOfStory(story).at(-1)).toMatchObject({ tokens: 700, source: 'estimate' });
  });

  it('puts entries below such an entry under the last of simultaneous results', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', {})
      .read('z', 'a.txt')
      .wait(-1)
      .read('a', 'b.txt')
      .hole('x1')
      .turn('t2', {});
    expect(pathTo(createEntryTree(story.facts()).leaf).map(({ fact }) => fact.id)).toEqual([
      'u1',
      't1',
      'z',
      'a',
      't2',
    ]);
  });

  it('goes on across entries that the ledger does not hold', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 1_000 })
      .hole('x1')
      .read('r1', 'a.txt')
      .hole('x2')
      .user('u2')
      .hole('x3');
    story.turn('t2', { inputTokens: 1_400 });
    expect(seriesOfStory(story).at(-1)?.growthTokens).toBe(400);
    const facts = story.facts();
    expect(
      createEntryTree(facts).nodes.map(({ fact, parent }) => [fact.id, parent?.fact.id]),
    ).toEqual([
      ['u1', undefined],
      ['t1', 'u1'],
      ['r1', 't1'],
      ['u2', 'r1'],
      ['t2', 'u2'],
    ]);
  });
});
