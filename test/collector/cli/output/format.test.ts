import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalsFor,
  formatCount,
  formatNanoUsd,
} from '../../../../collector/cli/output/format.ts';

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
    expect(formatNanoUsd(nanoUsd, decimals)).toBe(text);
  });

  it('shows zero only for nothing', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.integer({ min: 0, max: 9 }),
        (nanoUsd, decimals) => {
          expect(formatNanoUsd(nanoUsd, decimals)).toMatch(/[1-9]/);
        },
      ),
    );
  });

  it('keeps four places below a hundred dollars and two from there on', () => {
    expect([decimalsFor(99_999_999_999n), decimalsFor(100_000_000_000n)]).toEqual([4, 2]);
  });
});

it('groups thousands', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
});
