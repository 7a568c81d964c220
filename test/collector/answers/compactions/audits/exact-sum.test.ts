import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addAmount,
  addSum,
  exactSum,
  textOf,
} from '../../../../../collector/answers/compactions/audits/exact-sum.ts';

const amount = fc.oneof(
  fc.bigInt({ min: -1_000n, max: 10n ** 12n }),
  fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
);

it('is exact, however large amounts are and in whatever parts they are added', () => {
  fc.assert(
    fc.property(fc.array(fc.array(amount, { maxLength: 40 })), (parts) => {
      const all = exactSum();
      for (const part of parts) {
        const sum = exactSum();
        for (const each of part) addAmount(sum, String(each));
        addSum(all, sum);
      }
      expect(textOf(all)).toBe(String(parts.flat().reduce((sum, each) => sum + each, 0n)));
    }),
  );
});
