/** Figures from a host's usage object, in each host's format and with any damage. */
import { describe, expect, it } from 'vitest';
import { jsonObject, usageFigures } from '../../../../collector/reconcile/files/usage-figures.ts';

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, cacheWrite1h: 0 };

describe('the tokens of a usage', () => {
  it('are what it counts', () => {
    const usage = {
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite: 4,
      reasoning: 5,
      cacheWrite1h: 6,
    };
    expect(usageFigures(usage).tokens).toEqual(usage);
  });

  it.each<[what: string, usage: object, tokens: object]>([
    [
      'omp’s words',
      { reasoningTokens: 5, cttl: { ephemeral1h: 6 } },
      { reasoning: 5, cacheWrite1h: 6 },
    ],
    [
      'both words: the first',
      { reasoning: 1, reasoningTokens: 5, cacheWrite1h: 2, cttl: { ephemeral1h: 6 } },
      { reasoning: 1, cacheWrite1h: 2 },
    ],
    ['a fraction, rounded', { input: 1.5 }, { input: 2 }],
    ['more than a count can be', { input: 2e12 }, { input: 1e12 }],
    ['less than nothing', { input: -1 }, {}],
    ['text', { input: '1' }, {}],
    ['no number', { input: Number.NaN, output: Number.POSITIVE_INFINITY }, {}],
    ['nothing', {}, {}],
  ])('%s', (_what, usage, tokens) =>
    expect(usageFigures(usage as never).tokens).toEqual({ ...none, ...tokens }),
  );
});

describe('a usage', () => {
  it.each<[what: string, usage: object, reported: boolean]>([
    ['of input', { input: 1 }, true],
    ['of output', { output: 1 }, true],
    ['of cache reads', { cacheRead: 1 }, true],
    ['of cache writes', { cacheWrite: 1 }, true],
    ['of a sum alone', { totalTokens: 1 }, true],
    ['of a cost alone', { cost: { total: 0.1 } }, true],
    ['of zeros', { input: 0, output: 0, totalTokens: 0, cost: { total: 0 } }, false],
    ['of less than nothing', { input: -1 }, false],
    ['of no number', { input: Number.POSITIVE_INFINITY, output: '1' }, false],
    ['of reasoning, which is part of the output', { reasoning: 1 }, false],
    ['of nothing', {}, false],
  ])('%s reports something, or not', (_what, usage, reported) =>
    expect(usageFigures(usage as never).reported).toBe(reported),
  );

  const used = { input: 1 };
  it.each<[what: string, usage: object, nanoUsd: number | null, priceSource: string]>([
    ['a price by a list', { ...used, cost: { total: 0.5 } }, 500_000_000, 'catalog'],
    [
      'a price by its provider',
      { ...used, cost: { total: 0.5, totalFromProvider: true } },
      500_000_000,
      'provider',
    ],
    [
      'a price of which its provider did not say so',
      { ...used, cost: { total: 0.5, totalFromProvider: 1 } },
      500_000_000,
      'catalog',
    ],
    ['a sum of prices', { ...used, cost: 0.5 }, 500_000_000, 'catalog'],
    ['no price: zero by a list', { ...used, cost: { total: 0 } }, null, 'unpriced'],
    ['no price: a sum of zero', { ...used, cost: 0 }, null, 'unpriced'],
    [
      'nothing to pay, by its provider',
      { ...used, cost: { total: 0, totalFromProvider: true } },
      0,
      'provider',
    ],
    ['no price', used, null, 'unpriced'],
    ['no price: a text', { ...used, cost: { total: '0.5' } }, null, 'unpriced'],
    ['no price: less than nothing', { ...used, cost: { total: -0.5 } }, null, 'unpriced'],
    ['no price: a list', { ...used, cost: [0.5] }, null, 'unpriced'],
    [
      'no price, for nothing was used',
      { cost: { total: 0, totalFromProvider: true } },
      null,
      'unpriced',
    ],
  ])('has %s', (_what, usage, nanoUsd, priceSource) =>
    expect(usageFigures(usage as never)).toMatchObject({ nanoUsd, priceSource }),
  );
});

it('of nothing under its first name is not looked for under the other', () => {
  const reasoning = { reasoning: 0, reasoningTokens: 5 };
  const kept = { cacheWrite1h: 0, cttl: { ephemeral1h: 5 } };
  expect(usageFigures({ ...reasoning, ...kept }).tokens).toMatchObject({
    reasoning: 0,
    cacheWrite1h: 0,
  });
});

it.each([
  [{ a: 1 }, true],
  [{}, true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j is a JSON object: %s', (value, is) => expect(jsonObject(value) !== null).toBe(is));
