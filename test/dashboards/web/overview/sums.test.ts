import { describe, expect, it } from 'vitest';
import { amountOf, amountOfAll } from '../../../../dashboards/web/format/spend.ts';
import {
  daysInMonth,
  daysOfMonth,
  daysWithin,
  mainBilling,
  sameDaysBefore,
  shownAmounts,
  shownBillings,
  unpricedIn,
  usualOfDays,
} from '../../../../dashboards/web/views/overview/sums.ts';
import { usageRow } from '../support/usage-row.ts';

const nothing = usageRow({}).byBilling;
const unpriced = { ...nothing, metered: { ...nothing.metered, unpricedRecords: 2 } };

describe('sums of days', () => {
  const days = [
    usageRow({ day: '2026-10-31', meteredNanoUsd: '5', subscriptionNanoUsd: '900' }),
    usageRow({ day: '2026-11-01', meteredNanoUsd: '9007199254740993' }),
    usageRow({ day: '2026-11-22', meteredNanoUsd: '2', byBilling: unpriced, unpricedRecords: 2 }),
  ];

  it('are exact, of one billing, and at least where records have no price', () => {
    const month = daysWithin(days, '2026-11-01', '2026-11-22');
    const metered = amountOfAll(month, 'metered');
    expect(metered).toEqual({ nanoUsd: 9007199254740995n, mark: 'atLeast' });
    expect(amountOfAll(month, 'subscription')).toEqual({ nanoUsd: 0n, mark: 'exact' });
    expect(unpricedIn(month)).toBe(2);
  });

  it('are at least where extensions tell of their last answer only', () => {
    const bounded = { ...nothing, metered: { ...nothing.metered, lowerBoundRecords: 1 } };
    const day = usageRow({ meteredNanoUsd: '3', byBilling: bounded });
    expect(amountOf(day, 'metered')).toEqual({ nanoUsd: 3n, mark: 'atLeast' });
    expect(amountOf(day, 'subscription')).toEqual({ nanoUsd: 0n, mark: 'exact' });
    expect(amountOfAll([day, usageRow({})], 'metered').mark).toBe('atLeast');
  });

  it('of a month have what is of a day ahead, but nothing of the next month', () => {
    const dates = ['2026-10-31', '2026-11-29', '2026-11-30', '2026-12-01'];
    const rows = dates.map((day) => usageRow({ day }));
    const daysOf = (today: string, latest: string) =>
      daysOfMonth(rows, today, latest).map(({ day }) => day);
    expect(daysOf('2026-11-29', '2026-11-30')).toEqual(['2026-11-29', '2026-11-30']);
    expect(daysOf('2026-11-30', '2026-12-01')).toEqual(['2026-11-29', '2026-11-30']);
    expect(daysOf('2026-12-01', '2026-12-01')).toEqual(['2026-12-01']);
  });

  it('are not known where nothing has a price', () => {
    const day = usageRow({ day: '2026-11-22', byBilling: unpriced, unpricedRecords: 2 });
    expect(amountOfAll([day], 'metered').nanoUsd).toBeNull();
  });

  it('are of a subscription where nothing is metered, not even without a price', () => {
    const covered = usageRow({ subscriptionNanoUsd: '1' });
    expect(mainBilling([covered])).toBe('subscription');
    expect(mainBilling([covered, usageRow({ meteredNanoUsd: '1' })])).toBe('metered');
    expect(mainBilling([covered, usageRow({ byBilling: unpriced })])).toBe('metered');
    expect(mainBilling([])).toBe('metered');
  });
});

it.each([
  ['2026-11-22', '2026-10-01', '2026-10-22'],
  ['2026-03-31', '2026-02-01', '2026-02-28'],
  ['2026-01-05', '2025-12-01', '2025-12-05'],
])('%s is compared with %s to %s', (day, since, until) => {
  expect(sameDaysBefore(day)).toEqual({ since, until });
});

it('knows how long months are', () => {
  const months = ['2026-02-01', '2028-02-29', '2026-11-30', '2026-12-31'];
  expect(months.map(daysInMonth)).toEqual([28, 29, 30, 31]);
});

describe('usual', () => {
  const days = ['3', '1', '8', '0'].map((meteredNanoUsd) => usageRow({ meteredNanoUsd }));

  it('is the median of such weekdays; one without spend counts', () => {
    expect(usualOfDays(days, 'metered')).toEqual({
      median: 2n,
      low: 0n,
      high: 8n,
      mark: 'exact',
      days: 4,
    });
    const three = usualOfDays(days.slice(0, 3), 'metered');
    expect(three).toEqual({ median: 3n, low: 1n, high: 8n, mark: 'exact', days: 3 });
  });

  it('is at least where a day lacks prices; one that has none at all is left out', () => {
    const partly = usageRow({ meteredNanoUsd: '4', byBilling: unpriced });
    const none = usageRow({ byBilling: unpriced });
    expect(usualOfDays([...days, partly, none], 'metered')).toEqual({
      median: 3n,
      low: 0n,
      high: 8n,
      mark: 'atLeast',
      days: 5,
    });
  });

  it('is not said of two days, and of one billing alone', () => {
    expect(usualOfDays(days.slice(0, 2), 'metered')).toBeNull();
    expect(usualOfDays(days, 'subscription')?.high).toBe(0n);
  });
});

it('kinds of money without an amount are left out; where none has one, one stands alone', () => {
  const shown = (...some: readonly string[]) => shownBillings((each) => some.includes(each));
  expect(shown('unknown')).toEqual(['unknown']);
  expect(shown('unknown', 'subscription')).toEqual(['subscription', 'unknown']);
  expect(shown('metered', 'unknown')).toEqual(['metered', 'unknown']);
  expect(shown()).toEqual(['metered']);
  expect(shownBillings(() => false, 'unknown')).toEqual(['unknown']);
});

it('an amount of unknown billing is shown alone where there is no other', () => {
  const shown = (fields: Parameters<typeof usageRow>[0]) =>
    shownAmounts(usageRow(fields), false).map(({ billing, amount }) => [billing, amount.nanoUsd]);
  expect(shown({ unknownBillingNanoUsd: '35' })).toEqual([['unknown', 35n]]);
  expect(shown({ subscriptionNanoUsd: '4' })).toEqual([['subscription', 4n]]);
  expect(shown({ meteredNanoUsd: '1', unknownBillingNanoUsd: '2' })).toEqual([
    ['metered', 1n],
    ['unknown', 2n],
  ]);
  expect(shown({})).toEqual([['metered', 0n]]);
});
