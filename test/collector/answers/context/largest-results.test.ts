import { describe, expect, it } from 'vitest';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { largestResultsOf } from '../../../../collector/answers/context/largest-results.ts';
import { Story } from './given.ts';

describe('the largest results', () => {
  it('come first, with their files, and say whether they are still sent', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', {})
      .read('r1', 'a.txt', 4_000)
      .read('r2', 'b.txt', 400)
      .read('r3', 'c.txt', 40_000);
    story.compaction('c1', { firstKeptEntryId: 'r3' });
    expect(
      largestResultsOf(createEntryTree(story.facts()), 2).map(({ paths, tokens, isInContext }) => [
        paths,
        tokens,
        isInContext,
      ]),
    ).toEqual([
      [['c.txt'], 10_000, true],
      [['a.txt'], 1_000, false],
    ]);
  });
});
