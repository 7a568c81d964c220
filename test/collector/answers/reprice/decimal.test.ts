import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalToUnits } from '../../../../collector/answers/reprice/decimal.ts';

describe('a decimal text', () => {
  it.each([
    ['0', 0n],
    ['3', 3_000_000_000_000n],
    ['0.3', 300_000_000_000n],
    ['3.75', 3_750_000_000_000n],
    ['0.000000000001', 1n],
    ['1e-7', 100_000n],
    ['2.5E+2', 250_000_000_000_000n],
    ['1.500', 1_500_000_000_000n],
  ])('%s is %d units of 10^-12', (text, units) => {
    expect(decimalToUnits(text, 12)).toBe(units);
  });

  it.each([
    '',
    '-1',
    '.5',
    '1.',
    'x',
    '1,5',
    '0.0000000000001',
    '1e-13',
    'Infinity',
    'NaN',
    '0x10',
    '1e999',
  ])('%j is none that counts', (text) => {
    expect(decimalToUnits(text, 12)).toBeNull();
  });

  it('is what JSON wrote of a price, to the last digit', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.nat(999_999), (whole, millionths) => {
        const text = `${whole}.${String(millionths).padStart(6, '0')}`;
        const written = String(JSON.parse(text));
        expect(decimalToUnits(written, 12)).toBe(
          BigInt(whole) * 10n ** 12n + BigInt(millionths) * 10n ** 6n,
        );
      }),
    );
  });
});
