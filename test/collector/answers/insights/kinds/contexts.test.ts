import { describe, expect, it } from 'vitest';
import { Story } from '../../context/given.ts';
import { askInsights, usd } from '../support/asked.ts';

const { ofKind } = askInsights();

describe('what the contexts of sessions say', () => {
  /** A cached token costs a dollar, another one ten. */
  const tokens = (inputTokens: number, cacheReadTokens: number, model = 'sonnet') => ({
    provider: 'anthropic',
    model,
    ...{ inputTokens, cacheReadTokens, costNanoUsd: usd },
    rawUsage: { cost: { input: inputTokens * 10, cacheRead: cacheReadTokens } },
  });
  const begin = () => {
    const story = new Story('s1');
    story.live('pi.session.attributed.v1', {
      project: { name: 'shop', remote: null, branch: 'main', worktree: null },
      billing: { anthropic: 'metered' },
      utcOffsetMinutes: 0,
    });
    return story.user('u1');
  };

  it('tells answers that sent again what the cache had held, by the reason', async () => {
    const story = begin().turn('t1', tokens(10, 100));
    story.wait(600).turn('t2', tokens(60, 50)).turn('t3', tokens(10, 110));
    story.turn('t4', tokens(100, 20, 'opus'));
    const rows = await ofKind('cache-misses', story.events);
    // 50 and 90 tokens, at ten dollars instead of one.
    expect(rows.map(({ title, nanoUsd, bound }) => [title, nanoUsd, bound])).toEqual([
      [
        'the cache was lost after a switch of the model: 1 answer, 90 tokens sent again',
        String(810 * usd),
        'exact',
      ],
      [
        'the cache was lost after a pause of more than 5 minutes: 1 answer, 50 tokens sent again',
        String(450 * usd),
        'exact',
      ],
    ]);
    expect(rows[0]).toMatchObject({
      billing: 'metered',
      command: 'pi-ledger context s1',
      rows: [{ is: 'session', id: 's1', nanoUsd: String(810 * usd) }],
    });
  });

  it('says n/a, and no dollars, of what has no price', async () => {
    const unpriced = (inputTokens: number, cacheReadTokens: number, model?: string) => ({
      ...tokens(inputTokens, cacheReadTokens, model),
      ...{ costNanoUsd: null, costSource: 'unpriced' as const, rawUsage: {} },
    });
    const story = begin()
      .turn('t1', unpriced(10, 100))
      .turn('t2', unpriced(100, 20, 'opus'));
    story.read('r1', 'src/large.ts', 40_000).turn('t3', unpriced(10_000, 100, 'opus'));
    expect(await ofKind('cache-misses', story.events)).toMatchObject([
      {
        nanoUsd: null,
        reason: 'most in session s1: n/a, 1 answer, 80 tokens',
        rows: [{ nanoUsd: null, text: 'n/a, 1 answer, 80 tokens' }],
      },
    ]);
    const [result] = await ofKind('large-results', story.events);
    expect([result?.nanoUsd, result?.reason]).toEqual([
      null,
      'the costliest: ~10.0k tokens with 1 answer, n/a, src/large.ts',
    ]);
  });

  it('tells compactions that cost more than they saved, and what was read again', async () => {
    const story = begin().read('r1', 'src/a.ts', 400).turn('t1', tokens(100, 1_000));
    story.compaction('c1', { tokensBefore: 1_100, firstKeptEntryId: 't1' });
    story.turn('t2', tokens(900, 100)).read('r2', 'src/a.ts', 400);
    const lost = await ofKind('compactions-did-not-pay', story.events);
    // It saved 100 tokens at a dollar; 900 were lost of the cache, at nine; 100 read again, at ten.
    expect(lost).toMatchObject([
      {
        nanoUsd: String((900 * 9 + 100 * 10 - 100) * usd),
        bound: 'atLeast',
        title: '1 compaction cost more than it saved',
        rows: [{ is: 'compaction' }],
      },
    ]);
    const again = await ofKind('read-again', story.events);
    expect(again).toMatchObject([{ nanoUsd: String(100 * 10 * usd), bound: 'estimated' }]);
    expect(again[0]?.title).toContain('1 file read again after 1 compaction');
  });

  it('tells large results that were sent with every answer after them', async () => {
    const story = begin().turn('t1', tokens(10, 100));
    story.read('r1', 'src/large.ts', 40_000).read('r2', 'src/small.ts', 4_000);
    story.turn('t2', tokens(10_000, 100)).turn('t3', tokens(10, 10_000));
    const rows = await ofKind('large-results', story.events);
    // 10,000 tokens, once at ten dollars and once at one.
    expect(rows).toMatchObject([
      {
        nanoUsd: String(110_000 * usd),
        bound: 'estimated',
        title: '1 result of read over 10,000 tokens, sent with 2 answers',
        rows: [{ is: 'entry', id: 'r1' }],
      },
    ]);
    expect(rows[0]?.reason).toContain('src/large.ts');
  });
});
