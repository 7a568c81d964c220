/** The series of a session's window: what each point is made of, and what the turns cost. */
import type { ContextSeries } from '@pi-ledger/contract/answers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seriesAnswer } from '../../../../collector/answers/context/series-query.ts';
import { spendOf } from '../../projections/support/given.ts';
import { Story } from './given.ts';
import { opened } from './opened.ts';
import { anyStory } from './stories.ts';

type Costs = ContextSeries['byBilling'];

function sumOf(costs: readonly Costs[]): Record<string, Record<string, string>> {
  const sums: Record<string, Record<string, bigint>> = {};
  for (const each of costs)
    for (const [billing, cost] of Object.entries(each)) {
      const sum = sums[billing] ?? {};
      sums[billing] = sum;
      for (const [name, amount] of Object.entries(cost))
        sum[name] = (sum[name] ?? 0n) + BigInt(amount);
    }
  return texts(sums);
}

function texts(sums: Record<string, Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(sums).map(([billing, sum]) => [
      billing,
      Object.fromEntries(Object.entries(sum).map(([name, amount]) => [name, String(amount)])),
    ]),
  );
}

const attributed = (story: Story, billing: 'metered' | 'subscription') =>
  story.live('pi.session.attributed.v1', { billing: { anthropic: billing } });

const priced = {
  provider: 'anthropic',
  model: 'sonnet',
  inputTokens: 10,
  costNanoUsd: 1_000,
  rawUsage: { cost: { input: 1e-7, output: 5e-7, cacheRead: 2e-7, cacheWrite: 1e-7 } },
};

describe('the series of a window', () => {
  it('has the same sums however few its points, and turns that add up', () => {
    fc.assert(
      fc.property(anyStory, fc.integer({ min: 4, max: 40 }), (story, pointsMax) => {
        attributed(story, 'metered');
        const { context, state } = opened(story.events);
        const whole = seriesAnswer(context, state, 5_000);
        const thin = seriesAnswer(context, state, pointsMax);
        expect(sumOf(thin.points.map(({ byBilling }) => byBilling))).toEqual(
          texts(whole.byBilling),
        );
        expect(thin.byBilling).toEqual(whole.byBilling);
        const turns = thin.points.reduce((sum, { turnsCovered }) => sum + turnsCovered, 0);
        expect([turns, thin.turns]).toEqual([whole.turns, whole.turns]);
        expect(thin.pointsInAll).toBe(whole.points.length);
      }),
      { numRuns: 150 },
    );
  });

  it('has bands that add up to the composition at each entry, asked alone', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { context, state } = opened(story.events);
        for (const { entryId, bands } of seriesAnswer(context, state, 5_000).points) {
          const alone = opened(story.events).context;
          const { parts, totalTokens } = alone.compositionAt(alone.tree.node(entryId));
          const sum = (...kinds: string[]) =>
            parts.reduce((all, { kind, tokens }) => all + (kinds.includes(kind) ? tokens : 0), 0);
          expect(Object.values(bands).reduce((all, tokens) => all + tokens, 0)).toBe(totalTokens);
          expect(bands.toolResults).toBe(sum('toolResults'));
          expect(bands.answers).toBe(sum('assistantText', 'thinking', 'toolCalls'));
          expect(bands.unexplained).toBe(sum('unexplained'));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('splits what turns cost, keeps summaries and billings apart, and counts the rest', () => {
    const story = new Story();
    attributed(story, 'metered').user('u1').turn('t1', priced);
    story.compaction('c1', { tokensBefore: 10, spend: spendOf({ ...priced, costNanoUsd: 70 }) });
    story.wait(120);
    attributed(story, 'subscription');
    story.turn('t2', { ...priced, costNanoUsd: 900 });
    story.turn('t3', { ...priced, costNanoUsd: null, costSource: 'unpriced' });
    story.turn('t4', { provider: 'anthropic', reported: false, costNanoUsd: null });
    const { context, state } = opened(story.events);
    const split = {
      inputNanoUsd: '100',
      outputNanoUsd: '500',
      cacheReadNanoUsd: '200',
      cacheWriteNanoUsd: '100',
    };
    expect(seriesAnswer(context, state, 500).byBilling).toEqual({
      metered: {
        ...split,
        nanoUsd: '1070',
        otherNanoUsd: '100',
        summaryNanoUsd: '70',
        unpricedRecords: 0,
        unreportedRecords: 0,
      },
      subscription: {
        ...split,
        nanoUsd: '900',
        otherNanoUsd: '0',
        summaryNanoUsd: '0',
        unpricedRecords: 1,
        unreportedRecords: 1,
      },
    });
  });

  it('keeps both edges of every compaction, and the highest point', () => {
    const story = new Story().user('u1');
    for (let turn = 1; turn <= 300; turn++) {
      story.turn(`t${turn}`, { inputTokens: turn === 77 ? 9_999 : 100 + (turn % 50) });
      if (turn % 100 === 50) story.compaction(`c${turn}`, { tokensBefore: 150 });
    }
    const { context, state } = opened(story.events);
    const ids = seriesAnswer(context, state, 30).points.map(({ entryId }) => entryId);
    for (const turn of [50, 150, 250])
      expect(ids).toEqual(expect.arrayContaining([`t${turn}`, `c${turn}`, `t${turn + 1}`]));
    expect(ids).toContain('t77');
    expect(ids.length).toBeLessThanOrEqual(30);
  });
});
