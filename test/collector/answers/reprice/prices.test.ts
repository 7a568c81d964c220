import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ModelPrice,
  type PricedTokens,
  priceOf,
  type Rates,
} from '../../../../collector/answers/reprice/prices.ts';

/** In USD per million tokens, in thousandths at the finest. */
function rates(
  input: number,
  output: number,
  more: Partial<Record<'cacheRead' | 'cacheWrite' | 'reasoning', number>> = {},
): Rates {
  const units = (price: number | undefined) =>
    price === undefined ? null : BigInt(Math.round(price * 1_000)) * 10n ** 9n;
  return {
    input: units(input) ?? 0n,
    output: units(output) ?? 0n,
    cacheRead: units(more.cacheRead),
    cacheWrite: units(more.cacheWrite),
    reasoning: units(more.reasoning),
  };
}

function tokens(some: Partial<PricedTokens> = {}): PricedTokens {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: null,
    cacheWrite1hTokens: null,
    isOneRequest: true,
    ...some,
  };
}

const sonnet: ModelPrice = {
  is: 'priced',
  base: rates(3, 15, { cacheRead: 0.3, cacheWrite: 3.75 }),
  tiers: [{ aboveTokens: 200_000, rates: rates(6, 22.5, { cacheRead: 0.6, cacheWrite: 7.5 }) }],
};

describe('the price of a record', () => {
  it.each([
    ['nothing', tokens(), 0n],
    ['a million of input', tokens({ inputTokens: 1_000_000, isOneRequest: false }), 3_000_000_000n],
    ['one token of input', tokens({ inputTokens: 1 }), 3_000n],
    [
      'input beside cache',
      tokens({ inputTokens: 410, outputTokens: 51, cacheReadTokens: 700, cacheWriteTokens: 300 }),
      1_230_000n + 765_000n + 210_000n + 1_125_000n,
    ],
    ['reasoning inside of output', tokens({ outputTokens: 100, reasoningTokens: 60 }), 1_500_000n],
    [
      'an hour of cache at twice the input',
      tokens({ cacheWriteTokens: 300, cacheWrite1hTokens: 100 }),
      200n * 3_750n + 100n * 6_000n,
    ],
    [
      '200,000 tokens of context',
      tokens({ inputTokens: 1_000, cacheReadTokens: 199_000, outputTokens: 1 }),
      3_000_000n + 59_700_000n + 15_000n,
    ],
    [
      'more than that, all of it costlier',
      tokens({ inputTokens: 1_001, cacheReadTokens: 199_000, outputTokens: 1 }),
      6_006_000n + 119_400_000n + 22_500n,
    ],
    [
      'an hour of cache in the costlier tier',
      tokens({ cacheWriteTokens: 200_001, cacheWrite1hTokens: 200_001 }),
      200_001n * 12_000n,
    ],
    [
      'a sum of requests, whose tier is not known',
      tokens({ inputTokens: 300_000, isOneRequest: false }),
      900_000_000n,
    ],
  ])('%s', (_what, given, nanoUsd) => {
    expect(priceOf(sonnet, given)).toBe(nanoUsd);
  });

  it('has reasoning apart only where the list says so', () => {
    const price: ModelPrice = { is: 'priced', base: rates(1, 2, { reasoning: 10 }), tiers: [] };
    expect(priceOf(price, tokens({ outputTokens: 100, reasoningTokens: 60 }))).toBe(
      40n * 2_000n + 60n * 10_000n,
    );
    expect(priceOf(price, tokens({ outputTokens: 100, reasoningTokens: 500 }))).toBe(
      100n * 10_000n,
    );
    expect(priceOf(price, tokens({ outputTokens: 100 }))).toBe(200_000n);
  });

  it('takes the highest tier that the record is above', () => {
    const tiers = [100, 1_000, 10_000].map((aboveTokens, index) => ({
      aboveTokens,
      rates: rates(index + 2, 0),
    }));
    const price: ModelPrice = { is: 'priced', base: rates(1, 0), tiers };
    const perToken = [100, 101, 1_000, 1_001, 10_000, 10_001].map(
      (inputTokens) => Number(priceOf(price, tokens({ inputTokens }))) / inputTokens,
    );
    expect(perToken).toEqual([1_000, 2_000, 2_000, 3_000, 3_000, 4_000]);
  });

  it('is none if a part has no price, unless that part is zero', () => {
    const price: ModelPrice = { is: 'priced', base: rates(1, 2), tiers: [] };
    expect(priceOf(price, tokens({ inputTokens: 1, cacheReadTokens: 1 }))).toBeNull();
    expect(priceOf(price, tokens({ inputTokens: 1, cacheWriteTokens: 1 }))).toBeNull();
    expect(priceOf(price, tokens({ inputTokens: 1, outputTokens: 1 }))).toBe(3_000n);
    expect(priceOf({ is: 'unpriced', reason: 'zero_price' }, tokens())).toBeNull();
  });

  it.each([
    // 10^-18 USD per token; 10^9 of them are a nano-dollar.
    [500_000_000n, 1, 0n],
    [500_000_001n, 1, 1n],
    [499_999_999n, 1, 0n],
    [500_000_000n, 3, 2n],
    [500_000_000n, 5, 2n],
    [1_300n, 1_000_000, 1n],
  ])('is rounded once, half to even: %d times %d', (rate, inputTokens, nanoUsd) => {
    const price: ModelPrice = { is: 'priced', base: { ...rates(0, 1), input: rate }, tiers: [] };
    expect(priceOf(price, tokens({ inputTokens }))).toBe(nanoUsd);
  });

  it('adds up to the price of the whole, but for the roundings', () => {
    const count = fc.integer({ min: 0, max: 40_000 });
    const some = fc.record({
      inputTokens: count,
      outputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 20 }), (records) => {
        const sum = records.reduce(
          (all, each) => all + (priceOf(sonnet, tokens({ ...each, isOneRequest: false })) ?? 0n),
          0n,
        );
        const whole = records.reduce(
          (all, each) => ({
            inputTokens: all.inputTokens + each.inputTokens,
            outputTokens: all.outputTokens + each.outputTokens,
            cacheReadTokens: all.cacheReadTokens + each.cacheReadTokens,
            cacheWriteTokens: all.cacheWriteTokens + each.cacheWriteTokens,
          }),
          { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        );
        const difference = sum - (priceOf(sonnet, tokens({ ...whole, isOneRequest: false })) ?? 0n);
        expect(difference * difference <= BigInt(records.length) ** 2n).toBe(true);
      }),
    );
  });
});
