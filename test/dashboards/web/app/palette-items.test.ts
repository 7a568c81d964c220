import { expect, it } from 'vitest';
import { usageItems } from '../../../../dashboards/web/app/palette-items.ts';
import { usageRow } from '../support/usage-row.ts';

const spentOn = (fields: Parameters<typeof usageRow>[0]) =>
  usageItems('provider', [usageRow({ provider: 'anthropic', ...fields })], false).flatMap(
    ({ spent = [] }) => spent.map(({ billing, amount }) => [billing, amount.nanoUsd]),
  );

it('what is found says what was spent of each kind of money, the main one first', () => {
  expect(spentOn({ unknownBillingNanoUsd: '35' })).toEqual([['unknown', 35n]]);
  expect(spentOn({ subscriptionNanoUsd: '4' })).toEqual([['subscription', 4n]]);
  expect(spentOn({ meteredNanoUsd: '1', unknownBillingNanoUsd: '2' })).toEqual([
    ['metered', 1n],
    ['unknown', 2n],
  ]);
  expect(spentOn({})).toEqual([['metered', 0n]]);
});
