/** A session's context: cache misses, each kind of billing apart. */
import { expect, it } from 'vitest';
import { contextAnswer } from '../../../../collector/answers/context/answer.ts';
import { Story } from './given.ts';
import { opened } from './opened.ts';

const cost = {
  costSource: 'provider',
  costNanoUsd: 700,
  rawUsage: { cost: { input: 6e-7, output: 0, cacheRead: 1e-7, cacheWrite: 0 } },
} as const;

it('adds what cache misses cost for each kind of billing alone', () => {
  const billing = { anthropic: 'metered', openai: 'subscription' };
  const story = new Story().live('pi.session.attributed.v1', { billing }).user('u1');
  const sent = { ...cost, inputTokens: 100, outputTokens: 0 };
  story.turn('t1', { ...sent, cacheReadTokens: 100 });
  story.turn('t2', { ...sent, cacheReadTokens: 50 });
  story.turn('t3', { ...sent, cacheReadTokens: 40, provider: 'openai' });
  const { context, state } = opened(story.events);
  const { cacheMisses } = contextAnswer(context, state, { pointsMax: 10, at: null });
  const { worst } = cacheMisses;
  const [metered, subscription] = [
    worst.metered[0]?.costNanoUsd,
    worst.subscription[0]?.costNanoUsd,
  ];
  expect([worst.metered.length, worst.subscription.length, worst.unknown]).toEqual([1, 1, []]);
  expect(Number(metered)).toBeGreaterThan(Number(subscription));
  expect(cacheMisses).toMatchObject({ count: 2, unpriced: 0, costs: { metered, subscription } });
});
