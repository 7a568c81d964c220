import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalsFor,
  formatCount,
  formatMoment,
  formatNanoUsd,
  formatShare,
  shortCount,
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

  it('keeps four places below a dollar and two from there on', () => {
    expect([decimalsFor(999_999_999n), decimalsFor(1_000_000_000n)]).toEqual([4, 2]);
  });
});

it('groups thousands', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
});

it.each([
  [0, '0'],
  [9_999, '9,999'],
  [10_000, '10.0k'],
  [814_499, '814k'],
  [999_499, '999k'],
  [999_500, '1.00M'],
  [63_149_000, '63.1M'],
  [9_994_999, '9.99M'],
  [9_995_000, '10.0M'],
  [1_084_000_000, '1.08G'],
  ['12345678901234567890', '12345679T'],
])('writes %s in short as %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

it('has a dash, not 0 %, for a share of nothing', () => {
  expect([formatShare(0n, 0n), formatShare(0n, 3n), formatShare(2n, 3n)]).toEqual([
    '–',
    '0 %',
    '67 %',
  ]);
});

describe('moments', () => {
  const now = new Date('2026-11-22T20:00:00Z');
  it.each([
    ['2026-11-22T19:33:00Z', 'UTC', 'today 19:33'],
    ['2026-11-22T02:00:00Z', 'Pacific/Honolulu', 'Sat 21 Nov'],
    ['2026-11-22T23:30:00Z', 'Asia/Tokyo', 'today 08:30'],
    ['2026-11-17T10:00:00Z', 'UTC', 'Tue 17 Nov'],
    ['2025-12-01T10:00:00Z', 'UTC', 'Mon 1 Dec 2025'],
  ])('%s in %s reads %s', (iso, timeZone, text) => {
    expect(formatMoment(iso, { now, timeZone })).toBe(text);
  });

  it('keep the time of other days where it is wanted', () => {
    const style = { now, timeZone: 'UTC', withTime: true };
    expect(formatMoment('2026-11-17T10:05:00Z', style)).toBe('Tue 17 Nov 10:05');
  });
});
