import { describe, expect, it } from 'vitest';
import {
  formatChange,
  formatShare,
  moreWords,
  ofAll,
  shortCount,
} from '../../../../dashboards/web/format/count.ts';

describe('a short count', () => {
  it.each([
    [0, '0'],
    [9_999, '9,999'],
    [10_000, '10.0k'],
    [999_499, '999k'],
    [999_500, '1.00M'],
    [63_120_000, '63.1M'],
    ['1030000000', '1.03G'],
    [12_345_678_901_234n, '12.3T'],
  ])('%s is %s', (count, text) => {
    expect(shortCount(count)).toBe(text);
  });
});

it('says how many of how many are shown, known or not', () => {
  expect([ofAll(10, 79), ofAll(1_000, null)]).toEqual(['10 of 79', '1,000 of more']);
});

it('says of one more that it is one', () => {
  expect(moreWords(1, 'provider')).toBe('1 more provider');
  expect(moreWords(2, 'provider')).toBe('2 more providers');
});

describe('a share', () => {
  it.each([
    [91, 100, '91 %'],
    [0, 100, '0 %'],
    [0, 0, '–'],
  ])('of %s in %s is %s', (part, all, text) => {
    expect(formatShare(part, all)).toBe(text);
  });
});

describe('a change', () => {
  it.each([
    [187n, 100n, '+87 %'],
    [58n, 100n, '−42 %'],
    [100n, 100n, '0 %'],
    [5n, 0n, '–'],
  ])('to %s from %s is %s', (now, before, text) => {
    expect(formatChange(now, before)).toBe(text);
  });
});
