import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../../../collector/answers/reprice/catalogue.ts';
import type { ModelPrice } from '../../../../collector/answers/reprice/prices.ts';

const listPath = new URL('./price-list.json', import.meta.url);

function find(given: unknown, provider: string, model: string): ModelPrice | null {
  const read = readCatalogue(given);
  if (read.is === 'refused') throw new Error(JSON.stringify(read.problems));
  return read.prices.find(provider, model);
}

function problemsOf(given: unknown): string[] {
  const read = readCatalogue(given);
  return read.is === 'read'
    ? []
    : read.problems.map(({ place, message }) => `${place}: ${message}`);
}

const aPrice = 'a price in USD per million tokens (0 to 1,000,000, at most 12 decimals)';

/** One model with this cost. */
const costing = (cost: unknown) => ({ acme: { models: { one: { cost } } } });

const usd = (price: number) => BigInt(Math.round(price * 1_000)) * 10n ** 9n;

describe('a catalogue in the shape of models.dev', () => {
  const list = JSON.parse(readFileSync(listPath, 'utf8'));

  it('gives prices per token, exactly, and passes over all else', () => {
    expect(find(list, 'anthropic', 'claude-sonnet-5')).toEqual({
      is: 'priced',
      base: {
        input: usd(3),
        output: usd(15),
        cacheRead: usd(0.3),
        cacheWrite: usd(3.75),
        reasoning: null,
      },
      tiers: [
        {
          aboveTokens: 200_000,
          rates: {
            input: usd(6),
            output: usd(22.5),
            cacheRead: usd(0.6),
            cacheWrite: usd(7.5),
            reasoning: null,
          },
        },
      ],
    });
    expect(readCatalogue(list)).toMatchObject({ is: 'read', modelCount: 6 });
  });

  it('prefers tiers, which name their size, to the older way of saying the same', () => {
    expect(find(list, 'openai', 'gpt-6')).toMatchObject({
      is: 'priced',
      tiers: [
        {
          aboveTokens: 272_000,
          rates: { input: usd(2.5), output: usd(15), cacheRead: usd(0.25), cacheWrite: null },
        },
      ],
    });
  });

  it.each([
    ['openai', 'gpt-6-realtime', 'unknown_tier'],
    ['local', 'tiny', 'zero_price'],
    ['local', 'unpriced', 'no_price'],
  ])('has %s/%s, and no price for it: %s', (provider, model, reason) => {
    expect(find(list, provider, model)).toEqual({ is: 'unpriced', reason });
  });

  it('knows nothing of other models, nor of a model under another provider', () => {
    expect(find(list, 'anthropic', 'gpt-6')).toBeNull();
    expect(find(list, 'anthropic', '__proto__')).toBeNull();
    expect(
      find({ a: { models: { 'b/c': { cost: { input: 1, output: 1 } } } } }, 'a/b', 'c'),
    ).toBeNull();
  });

  it('reads a tier order of any kind', () => {
    const tiers = [300, 100, 200].map((size) => ({
      input: size,
      output: 1,
      tier: { type: 'context', size },
    }));
    expect(find(costing({ input: 1, output: 1, tiers }), 'acme', 'one')).toMatchObject({
      tiers: [{ aboveTokens: 100 }, { aboveTokens: 200 }, { aboveTokens: 300 }],
    });
  });

  it.each([
    [[], ': expected providers by id, as in models.dev/api.json, got []'],
    ['x', ': expected providers by id, as in models.dev/api.json, got "x"'],
    [{}, ': expected at least one model, got {}'],
    [{ acme: 7 }, 'acme: expected an object with `models`, got 7'],
    [{ acme: {} }, 'acme: models: expected models by id, got nothing'],
    [{ acme: { models: [] } }, 'acme: models: expected models by id, got []'],
    [{ acme: { models: { one: null } } }, 'acme/one: expected an object, got null'],
    [costing('3'), 'acme/one: cost: expected an object, got "3"'],
    [costing({ output: 1 }), `acme/one: cost.input: expected ${aPrice}, got nothing`],
    [costing({ input: -1, output: 1 }), `acme/one: cost.input: expected ${aPrice}, got -1`],
    [
      costing({ input: 1, output: 1, cache_read: 'free' }),
      `acme/one: cost.cache_read: expected ${aPrice}, got "free"`,
    ],
    [
      costing({ input: 1, output: 2_000_000 }),
      `acme/one: cost.output: expected ${aPrice}, got 2000000`,
    ],
    [
      costing({ input: 1, output: 1, context_over_200k: { input: 1 } }),
      `acme/one: cost.context_over_200k.output: expected ${aPrice}, got nothing`,
    ],
    [
      costing({ input: 1, output: 1, tiers: [7] }),
      'acme/one: cost.tiers[0]: expected an object, got 7',
    ],
    [
      costing({ input: 1, output: 1, tiers: [{}] }),
      'acme/one: cost.tiers[0].tier: expected an object, got nothing',
    ],
    [costing({ input: 1, output: 1, tiers: {} }), 'acme/one: cost.tiers: expected a list, got {}'],
    [
      costing({
        input: 1,
        output: 1,
        tiers: [{ input: 1, output: 1, tier: { type: 'context', size: 'big' } }],
      }),
      'acme/one: cost.tiers[0].tier.size: expected a whole number of tokens, got "big"',
    ],
  ])('is refused with the place and what was expected: %j', (given, problem) => {
    expect(problemsOf(given)).toEqual([problem]);
  });

  it('tells the first twenty problems of many', () => {
    const models = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`m${n}`, { cost: {} }]),
    );
    expect(problemsOf({ acme: { models } })).toHaveLength(20);
  });
});
