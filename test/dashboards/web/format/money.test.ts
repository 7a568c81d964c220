import { describe, expect, it } from 'vitest';
import { exactUsd } from '../../../../contract/amounts.ts';
import {
  formatMarked,
  formatMoney,
  formatSigned,
  formatUsd,
} from '../../../../dashboards/web/format/money.ts';

describe('money', () => {
  it.each([
    [0n, 2, '$0.00'],
    [94_987_654_321n, 2, '$94.99'],
    [94_985_000_000n, 2, '$94.99'],
    [1n, 2, '<$0.01'],
    [-1n, 2, '>−$0.01'],
    [5_000_000n, 2, '$0.01'],
    [-23_000_000n, 2, '−$0.02'],
    [12_300_000n, 4, '$0.0123'],
    [99_999n, 4, '$0.0001'],
    // More than a double holds to the cent.
    [123_456_789_012_345_670_000_000n, 2, '$123,456,789,012,345.67'],
  ])('of %s nano-dollars with %s places is %s', (nanoUsd, places, text) => {
    expect(formatMoney(nanoUsd, places)).toBe(text);
  });

  it('has a sign as a change, but where it is nothing', () => {
    const changes = [44_150_000_000n, 1n, 0n, -1n, -3_400_000_000n];
    expect(changes.map((each) => formatSigned(each))).toEqual([
      '+$44.15',
      '<+$0.01',
      '$0.00',
      '>−$0.01',
      '−$3.40',
    ]);
  });

  it.each([
    [1n, 'atMost', '<$0.01', 'exact'],
    [1n, 'estimated', '<$0.01', 'exact'],
    [1n, 'atLeast', '>$0.00', 'exact'],
    [-1n, 'atMost', '<$0.00', 'exact'],
    [-1n, 'atLeast', '>−$0.01', 'exact'],
    [-5_460_000_000n, 'estimated', '−$5.46', 'estimated'],
  ] as const)('of %s, %s, has one mark', (nanoUsd, mark, text, left) => {
    expect(formatMarked({ nanoUsd, mark }, 2, false)).toEqual({ text, mark: left });
  });

  it.each([
    [94_987_654_321n, '94.987654321'],
    [-1n, '-0.000000001'],
  ])('of %s is exactly %s', (nanoUsd, text) => {
    expect(exactUsd(nanoUsd)).toBe(text);
  });
});

it.each([
  [0, '$0'],
  [10, '$10'],
  [0.5, '$0.50'],
  [0.015, '$0.015'],
  [0.0025, '$0.0025'],
  [1.25, '$1.25'],
  [0.1 + 0.2, '$0.30'],
  [20_000_000, '$20M'],
])('labels %d at an axis with all its digits: %s', (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});
