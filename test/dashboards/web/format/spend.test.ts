import { figuresExample } from '@pi-ledger/contract/answers';
import { expect, test } from 'vitest';
import { amountOf, hasAmount } from '../../../../dashboards/web/format/spend.ts';

const { byBilling } = figuresExample;
const silent = {
  ...figuresExample,
  meteredNanoUsd: '0',
  byBilling: { ...byBilling, unknown: { ...byBilling.unknown, unreportedRecords: 2 } },
};

test('what nobody reported is not known, and never nothing', () => {
  expect(amountOf(silent, 'unknown')).toEqual({ nanoUsd: null, mark: 'exact' });
  expect(amountOf(silent, 'metered').nanoUsd).toBeNull();
  expect(amountOf(silent, 'subscription').nanoUsd).toBe(0n);
  expect(amountOf(figuresExample, 'metered')).toEqual({ nanoUsd: 613_560_000n, mark: 'exact' });
});

test('a column is there where something is spent, known or not', () => {
  expect(hasAmount([figuresExample], 'unknown')).toBe(false);
  expect(hasAmount([figuresExample, silent], 'unknown')).toBe(true);
});
