import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  billionths,
  dollarText,
  grouped,
  knownAmount,
  placesFor,
  stepText,
} from '../../contract/amounts.ts';

describe('amounts', () => {
  it.each([
    [0n, 2, '$0.00'],
    [5_600_000n, 4, '$0.0056'],
    [1_234_567_890_000n, 2, '$1,234.57'],
    [5_000_000n, 2, '$0.01'],
    [4_999_999n, 2, '<$0.01'],
    [1n, 4, '<$0.0001'],
    [-1n, 4, '>-$0.0001'],
    [-2_500_000_000n, 2, '-$2.50'],
    [9_007_199_254_740_993_000_000_001n, 9, '$9,007,199,254,740,993.000000001'],
  ])('%d nano-dollars with %d places read %s', (nanoUsd, decimals, text) => {
    expect(dollarText(nanoUsd, decimals)).toBe(text);
  });

  it('shows zero only for nothing', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.integer({ min: 0, max: 9 }),
        (nanoUsd, decimals) => {
          expect(dollarText(nanoUsd, decimals)).toMatch(/[1-9]/);
        },
      ),
    );
  });

  it('keeps four places below a dollar and two from there on', () => {
    expect([placesFor(999_999_999n), placesFor(1_000_000_000n)]).toEqual([4, 2]);
  });
});

it('groups thousands', () => {
  expect(grouped(1_234_567)).toBe('1,234,567');
});

describe('an amount is', () => {
  const without = { unpricedRecords: 0, unreportedRecords: 0 };

  it.each([
    ['known', 5n, {}, { nanoUsd: 5n, isAtLeast: false }],
    ['nothing', 0n, {}, { nanoUsd: 0n, isAtLeast: false }],
    ['at least so much, with records without a price', 5n, { unpricedRecords: 1 }, true],
    ['at least so much, with a part of what was spent', 5n, { lowerBoundRecords: 1 }, true],
    ['all that was reported, with attempts that were not', 5n, { unreportedRecords: 1 }, false],
  ])('%s', (_, nanoUsd, more, expected) => {
    const told = typeof expected === 'boolean' ? { nanoUsd, isAtLeast: expected } : expected;
    expect(knownAmount(nanoUsd, { ...without, ...more })).toEqual(told);
  });

  it.each(['unpricedRecords', 'unreportedRecords'])('not known, with %s alone', (name) => {
    expect(knownAmount(0n, { ...without, [name]: 1 })).toEqual({ nanoUsd: null, isAtLeast: false });
  });
});

it('reads an exact decimal as billionths', () => {
  expect(['161.204417', '0', '7', '0.000000001'].map(billionths)).toEqual([
    161_204_417_000n,
    0n,
    7_000_000_000n,
    1n,
  ]);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (nanoUsd) => {
      expect(billionths(stepText(nanoUsd, 9, String))).toBe(nanoUsd);
    }),
  );
});
