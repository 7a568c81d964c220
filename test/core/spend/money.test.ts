import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toNanoUsd } from '../../../core/spend/money.ts';

/**
 * Half to even on the shortest decimal text, implemented differently: by comparing digit strings.
 */
function reference(usd: number): bigint {
  const [mantissa = '0', exponent = '0'] = usd.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1 + 9;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits;
  const whole = point <= 0 ? '0' : digits.padEnd(point, '0').slice(0, point);
  const rest = point <= 0 ? padded : digits.slice(point);
  const half = `5${'0'.repeat(Math.max(0, rest.length - 1))}`;
  const roundsUp = rest !== '' && (rest > half || (rest === half && BigInt(whole) % 2n === 1n));
  return BigInt(whole) + (roundsUp ? 1n : 0n);
}

const amounts = fc.oneof(
  fc.double({ min: 0, max: 999_999, noNaN: true }),
  fc.double({ min: 0, max: 0.1, noNaN: true }),
  fc.double({ min: 0, max: 1e-8, noNaN: true }),
  // At and around the halves.
  fc.nat(1e9).map((nano) => (nano + 0.5) / 1e9),
  fc.nat(1e6).map((nano) => Number(`${nano}.5e-9`)),
  // Sums of products, as hosts compute them.
  fc
    .tuple(fc.nat(1e6), fc.nat(1e5), fc.nat(500))
    .map(([input, output, cents]) => (input * cents) / 1e8 + (output * 8) / 1e6),
);

describe('toNanoUsd', () => {
  it.each([
    [0, 0],
    [0.022799999999999997, 22_800_000],
    [0.0056, 5_600_000],
    [0.0000013, 1_300],
    [1e-9, 1],
    [5e-10, 0],
    [1.5e-9, 2],
    [2.5e-9, 2],
    [2.5000000001e-9, 3],
    [1e-300, 0],
    [1234.567890123, 1_234_567_890_123],
    [1_000_000, 1_000_000_000_000_000],
  ])('makes %d USD %d nano-dollars', (usd, nano) => {
    expect(toNanoUsd(usd)).toBe(nano);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, -1e-12, 1_000_001, 1e300])(
    'refuses %d',
    (usd) => {
      expect(toNanoUsd(usd)).toBeNull();
    },
  );

  it('rounds the decimal text once, half to even, whatever way it takes', () => {
    fc.assert(
      fc.property(amounts, (usd) => {
        expect(toNanoUsd(usd)).toBe(Number(reference(usd)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('lets ten million records of $0.0000013 add up exactly', () => {
    const each = BigInt(toNanoUsd(0.0000013) ?? 0);
    expect(each * 10_000_000n).toBe(13_000_000_000n);
  });
});
