import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amount,
  addAmounts,
  amountFromJson,
  amountToJson,
  negated,
} from '../../../collector/projections/amount.ts';

const amount = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

describe('amounts', () => {
  it('add up exactly, and are numbers whenever a number is exact', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 12 }), (amounts) => {
        const sums: Amount[] = [0];
        for (const each of amounts) addAmounts(sums, [each]);
        const exact = amounts.reduce((total, each) => total + BigInt(each), 0n);
        const isSmall =
          exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER);
        expect(BigInt(sums[0] ?? 0)).toBe(exact);
        expect(typeof sums[0]).toBe(isSmall ? 'number' : 'bigint');
      }),
    );
  });

  it('come to nothing with what they are negated', () => {
    const amounts: Amount[] = [0, 5, -7, 2n ** 60n];
    addAmounts(amounts, negated(amounts));
    expect(amounts).toEqual([0, 0, 0, 0]);
  });

  it('survive JSON', () => {
    for (const each of [0, -3, Number.MAX_SAFE_INTEGER, 2n ** 62n])
      expect(amountFromJson(JSON.parse(JSON.stringify(amountToJson(each))))).toBe(each);
  });
});
