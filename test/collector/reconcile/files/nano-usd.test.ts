import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanoUsdFromDouble } from '../../../../collector/reconcile/files/usage-figures.ts';

describe('dollars as nano-dollars', () => {
  it.each([
    [0, 0],
    [0.0000013, 1_300],
    [1e-9, 1],
    [0.012345678, 12_345_678],
    [0.1 + 0.2, 300_000_000],
    [1.5, 1_500_000_000],
    [999_999.999999999, 999_999_999_999_999],
    [1e6, 1_000_000_000_000_000],
  ])('takes the shortest decimal text of %d', (usd, nanoUsd) =>
    expect(nanoUsdFromDouble(usd)).toBe(nanoUsd),
  );

  it.each([
    [5e-10, 0],
    [1.5e-9, 2],
    [2.5e-9, 2],
    [3.5e-9, 4],
    [2.5000000001e-9, 3],
    [0.0000000125, 12],
    [4.9e-10, 0],
    [5.1e-10, 1],
    [1.4e-9, 1],
    [3.49e-9, 3],
    [1.51e-9, 2],
    [6e-11, 0],
    [9.9e-11, 0],
    [1e-300, 0],
  ])('rounds %d half to even', (usd, nanoUsd) => expect(nanoUsdFromDouble(usd)).toBe(nanoUsd));

  it.each([
    -1,
    -1e-12,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1_000_000.1,
    1e20,
    1e21,
    1.5e300,
    '1',
    null,
    undefined,
  ])('takes %s for no amount', (value) => expect(nanoUsdFromDouble(value)).toBeNull());

  it('is exact for all whole nano-dollars that a double can distinguish', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 - 1 }), (nano) => {
        fc.pre(nano <= 1_000_000_000_000_000);
        const text = nano.toString().padStart(10, '0');
        const usd = Number(`${text.slice(0, -9)}.${text.slice(-9)}`);
        expect(nanoUsdFromDouble(usd)).toBe(nano);
      }),
    );
  });

  it('errs by half a nano-dollar at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (usd) => {
        const nano = nanoUsdFromDouble(usd);
        expect(Math.abs(Number(nano) / 1e9 - usd)).toBeLessThanOrEqual(
          0.5e-9 + usd * Number.EPSILON,
        );
      }),
    );
  });
});
