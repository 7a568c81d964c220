import { describe, expect, it } from 'vitest';
import { formatMoment, formatShare, shortCount } from '../../../../collector/cli/output/format.ts';

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
