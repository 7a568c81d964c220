import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { Spend } from '../../../contract/index.ts';
import { readSpend } from '../../../core/record/spend.ts';

const answered = {
  provider: 'anthropic',
  api: 'anthropic-messages',
  model: 'claude',
  responseModel: null,
  responseId: null,
};
const schema = Compile(Spend);

describe('readSpend', () => {
  it('reads the usage of pi', () => {
    const usage = {
      input: 410,
      output: 51,
      cacheRead: 700,
      cacheWrite: 300,
      cacheWrite1h: 100,
      reasoning: 20,
      totalTokens: 1461,
      cost: {
        input: 0.00082,
        output: 0.000408,
        cacheRead: 0.00035,
        cacheWrite: 0.00075,
        total: 0.002328,
        totalFromProvider: true,
      },
    };
    expect(readSpend(usage, answered)).toEqual({
      ...answered,
      inputTokens: 410,
      outputTokens: 51,
      cacheReadTokens: 700,
      cacheWriteTokens: 300,
      reasoningTokens: 20,
      cacheWrite1hTokens: 100,
      reported: true,
      costNanoUsd: 2_328_000,
      costSource: 'provider',
      rawUsage: usage,
    });
  });

  it('reads the names that omp uses', () => {
    const usage = {
      input: 1,
      output: 2,
      reasoningTokens: 2,
      cttl: { ephemeral5m: 3, ephemeral1h: 4 },
      cost: { total: 0.5 },
    };
    expect(readSpend(usage, answered)).toMatchObject({
      reasoningTokens: 2,
      cacheWrite1hTokens: 4,
      costNanoUsd: 500_000_000,
      costSource: 'catalog',
    });
  });

  it('takes a failed attempt, where every figure is zero, for unreported and not for free', () => {
    const usage = {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { total: 0 },
    };
    expect(readSpend(usage, answered)).toMatchObject({
      reported: false,
      costNanoUsd: null,
      costSource: 'unpriced',
    });
    expect(readSpend(undefined, answered)).toMatchObject({
      reported: false,
      costNanoUsd: null,
      rawUsage: {},
    });
  });

  it.each(['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens'])(
    'takes an attempt with nothing but %s for reported',
    (name) => {
      expect(readSpend({ [name]: 1 }, answered)).toMatchObject({ reported: true });
      for (const figure of [0, -1, Number.POSITIVE_INFINITY, Number.NaN, '1', null])
        expect(readSpend({ [name]: figure }, answered)).toMatchObject({ reported: false });
    },
  );

  it('takes an attempt of which only the cost is known for reported', () => {
    expect(readSpend({ cost: { total: 0.5 } }, answered)).toMatchObject({
      reported: true,
      costNanoUsd: 500_000_000,
      costSource: 'catalog',
    });
    expect(readSpend({ cost: 0.5 }, answered)).toMatchObject({
      reported: true,
      costNanoUsd: 500_000_000,
      costSource: 'catalog',
    });
    expect(readSpend({ cost: { total: 0, totalFromProvider: true } }, answered)).toMatchObject({
      reported: false,
      costNanoUsd: null,
      costSource: 'unpriced',
    });
  });

  it.each([
    { total: '0.5' },
    { total: -1 },
    { total: 1e300 },
    { total: Number.NaN, totalFromProvider: true },
    {},
    [0.5],
    'x',
    null,
  ])('takes the cost %j for no price', (cost) => {
    expect(readSpend({ input: 9, cost }, answered)).toMatchObject({
      reported: true,
      costNanoUsd: null,
      costSource: 'unpriced',
    });
  });

  it('takes a cost for the provider’s only where the host says so', () => {
    expect(
      readSpend({ input: 9, cost: { total: 1, totalFromProvider: 'yes' } }, answered),
    ).toMatchObject({ costSource: 'catalog' });
  });

  it('prefers pi’s names for the same figures', () => {
    const usage = {
      input: 9,
      reasoning: 1,
      reasoningTokens: 2,
      cacheWrite1h: 3,
      cttl: { ephemeral1h: 4 },
    };
    expect(readSpend(usage, answered)).toMatchObject({ reasoningTokens: 1, cacheWrite1hTokens: 3 });
    expect(readSpend({ input: 9, cttl: 4 }, answered)).toMatchObject({
      reasoningTokens: null,
      cacheWrite1hTokens: null,
    });
  });

  it('counts no more tokens than the contract has room for', () => {
    const usage = {
      input: 1e12 + 1,
      output: 1e12,
      cacheRead: 1e300,
      reasoning: 1e13,
      cacheWrite1h: 1e13,
    };
    const max = 1_000_000_000_000;
    expect(readSpend(usage, answered)).toMatchObject({
      inputTokens: max,
      outputTokens: max,
      cacheReadTokens: max,
      reasoningTokens: max,
    });
    expect(readSpend(usage, answered)).toMatchObject({ cacheWrite1hTokens: max, rawUsage: usage });
  });

  it('treats a list price of zero as unknown, unless the provider says it was free', () => {
    expect(readSpend({ input: 9, cost: { total: 0 } }, answered)).toMatchObject({
      reported: true,
      costNanoUsd: null,
      costSource: 'unpriced',
    });
    expect(readSpend({ input: 9 }, answered)).toMatchObject({
      reported: true,
      costNanoUsd: null,
      costSource: 'unpriced',
    });
    const billed = readSpend({ input: 9, cost: { total: 0, totalFromProvider: true } }, answered);
    expect(billed).toMatchObject({ costNanoUsd: 0, costSource: 'provider' });
  });

  it.each([-5, Number.NaN, Number.POSITIVE_INFINITY, '12', null, {}, []])(
    'counts %j as no tokens at all',
    (value) => {
      expect(readSpend({ input: value, output: 7 }, answered)).toMatchObject({
        inputTokens: 0,
        outputTokens: 7,
      });
    },
  );

  it('rounds fractions of tokens', () => {
    expect(readSpend({ input: 1.5, output: 2.4 }, answered)).toMatchObject({
      inputTokens: 2,
      outputTokens: 2,
    });
  });

  it('never throws and is always valid, whatever a provider or a tool puts there', () => {
    const anything = fc.anything({ withBigInt: false, maxDepth: 3 });
    const figures = fc.dictionary(
      fc.constantFrom('input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'totalTokens'),
      fc.oneof(fc.double(), anything),
    );
    const usage = fc.tuple(
      figures,
      fc.dictionary(fc.constantFrom('total', 'totalFromProvider'), fc.oneof(fc.double(), anything)),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          usage.map(([tokens, cost]) => ({ ...tokens, cost })),
        ),
        (value) => {
          const spend = JSON.parse(JSON.stringify(readSpend(value, answered)));
          expect(schema.Check(spend)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
