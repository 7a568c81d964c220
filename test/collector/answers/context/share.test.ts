import { describe, expect, it } from 'vitest';
import { rowOf } from './audit-rows.ts';
import { Story, sizes } from './given.ts';

const large = { inputTokens: 100, cacheReadTokens: 9_000, outputTokens: 10 };

const small = { inputTokens: 500, cacheReadTokens: 1_000, outputTokens: 10 };

describe('a system message that the compaction repeats', () => {
  it('is neither dropped nor kept', () => {
    const story = new Story()
      .entry('pi.message.appended.v1', 'm1', { role: 'system', sizes: sizes({ otherChars: 400 }) })
      .user('u1')
      .turn('t1', large);
    story.compaction('c1', {
      tokensBefore: 9_110,
      firstKeptEntryId: 'm1',
      sizes: sizes({ textChars: 80, otherChars: 400 }),
    });
    expect(rowOf(story, 'c1')).toMatchObject({ dropped: { messages: 0 }, kept: { messages: 2 } });
  });

  const repeated = { sizes: sizes({ textChars: 80, otherChars: 400 }), toolDefinitionChars: 300 };
  const begun = () => new Story().user('u1').turn('t1', large);

  it('is not dropped with the compaction that repeated it before', () => {
    const story = begun()
      .compaction('c1', { ...repeated, firstKeptEntryId: null })
      .user('u2')
      .turn('t2', large);
    story.compaction('c2', { ...repeated, firstKeptEntryId: 't2' });
    const summary = { kind: 'compactionSummary', name: '', tokens: 20 };
    expect(rowOf(story, 'c2').dropped).toMatchObject({
      messages: 2,
      parts: expect.arrayContaining([summary]),
    });
    expect(
      rowOf(story, 'c2')
        .dropped.parts.map(({ kind }) => kind)
        .sort(),
    ).toEqual(['compactionSummary', 'user']);
  });

  it('is not left with the branch that it was repeated on', () => {
    const story = begun()
      .compaction('c1', { ...repeated, firstKeptEntryId: null })
      .user('u2')
      .turn('t2', large);
    story
      .goTo('t1')
      .entry('pi.branch.summarized.v1', 'b1', { sizes: sizes({ textChars: 40 }) })
      .user('u3')
      .turn('t3', small);
    expect(rowOf(story, 'b1').dropped.parts.map(({ kind }) => kind)).not.toContain(
      'toolDefinitions',
    );
    expect(rowOf(story, 'b1').dropped.parts.map(({ kind }) => kind)).not.toContain('system');
  });
});
