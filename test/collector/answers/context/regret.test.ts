import { describe, expect, it } from 'vitest';
import { rowOf } from './audit-rows.ts';
import { Story } from './given.ts';

const large = { inputTokens: 100, cacheReadTokens: 9_000, outputTokens: 10 };

const small = { inputTokens: 500, cacheReadTokens: 1_000, outputTokens: 10 };

describe('regret', () => {
  function readAgain(keptFrom: string): Story {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .read('r1', 'a.txt')
      .turn('t2', large)
      .read('r2', 'b.txt')
      .turn('t3', large);
    story
      .compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: keptFrom })
      .user('u2')
      .turn('t4', small)
      .read('r3', 'a.txt');
    return story.turn('t5', small).read('r4', 'b.txt').turn('t6', small).read('r5', 'new.txt');
  }

  it('counts the files that were read before, dropped, and read again', () => {
    expect(rowOf(readAgain('t3'), 'c1').regret).toEqual({
      reads: 2,
      tokens: 200,
      paths: ['a.txt', 'b.txt'],
    });
  });

  it('does not count what the compaction had kept', () => {
    expect(rowOf(readAgain('r2'), 'c1').regret).toEqual({
      reads: 1,
      tokens: 100,
      paths: ['a.txt'],
    });
  });

  it('names of a read of several files those that had been dropped', () => {
    const story = readAgain('t3').turn('t7', small).read('r6', ['b.txt', 'other.txt']);
    expect(rowOf(story, 'c1').regret).toMatchObject({ reads: 3, paths: ['a.txt', 'b.txt'] });
  });

  it('ends with the tenth turn after the compaction', () => {
    const story = new Story()
      .user('u1')
      .turn('t0', large)
      .read('r0', 'a.txt')
      .compaction('c1', { tokensBefore: 9_110 })
      .user('u2');
    for (let turn = 1; turn <= 10; turn++) story.turn(`t${turn}`, small);
    story.read('r10', 'a.txt');
    expect(rowOf(story, 'c1').regret.reads).toBe(1);
    expect(rowOf(story.turn('t11', small).read('r11', 'a.txt'), 'c1').regret.reads).toBe(1);
  });
});
