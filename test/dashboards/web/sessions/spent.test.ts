/** What a session spent, and what it may have spent besides. */
import { expect, it } from 'vitest';
import {
  unreportedOf,
  withSubagents,
} from '../../../../dashboards/web/views/sessions/session/spent.ts';
import { usageRow } from '../support/usage-row.ts';

function unreported(metered: number, subscription: number, nanoUsdMax: string) {
  const { byBilling } = usageRow({});
  return usageRow({
    unreportedRecords: metered + subscription,
    unreportedNanoUsdMax: nanoUsdMax,
    byBilling: {
      ...byBilling,
      metered: { ...byBilling.metered, unreportedRecords: metered },
      subscription: { ...byBilling.subscription, unreportedRecords: subscription },
    },
  });
}

it('what it spent with its subagents is at least so much where there are more of them', () => {
  const all = { subagents: 2, isAtLeast: false, ...usageRow({ meteredNanoUsd: '11' }) };
  expect(withSubagents(all, 'metered')).toEqual({ nanoUsd: 11n, mark: 'exact' });
  expect(withSubagents({ ...all, isAtLeast: true }, 'metered').mark).toBe('atLeast');
});

it('an estimate bounds one attempt; of several it covers those that have one', () => {
  expect(unreportedOf(unreported(1, 0, '80000000'))).toEqual({
    attempts: 1,
    nanoUsdMax: 80_000_000n,
    isOfAll: true,
  });
  expect(unreportedOf(unreported(0, 3, '80000000'))).toEqual({
    attempts: 3,
    nanoUsdMax: 80_000_000n,
    isOfAll: false,
  });
});

it('estimates of two kinds of billing are no amount, and no estimate is none', () => {
  expect(unreportedOf(unreported(1, 1, '80000000')).nanoUsdMax).toBeNull();
  expect(unreportedOf(unreported(1, 0, '0')).nanoUsdMax).toBeNull();
});
