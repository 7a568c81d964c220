import type { UsageRow } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { type Before, hasBegun } from '../../../../dashboards/web/views/overview/before.ts';
import {
  changeOfRow,
  changeOfTotal,
  usageOf,
} from '../../../../dashboards/web/views/overview/compared.ts';
import { monthChange } from '../../../../dashboards/web/views/overview/sums.ts';
import { usageRow } from '../support/usage-row.ts';

const nothing = usageRow({}).byBilling;
const unpriced = { ...nothing, metered: { ...nothing.metered, unpricedRecords: 2 } };
const shop = (fields: Partial<UsageRow>) => usageRow({ records: 1, project: 'shop', ...fields });
const earlierOf = (row: UsageRow): Before => ({ rows: [row], total: row, next: null });
const tableOf = (now: UsageRow, earlier: Before, isCounting = false) =>
  usageOf({
    rows: [now],
    total: now,
    earlier,
    isCounting,
    nameOf: ({ project = null }) => project,
  });

describe('a change', () => {
  const now = shop({ meteredNanoUsd: '300' });
  const before = shop({ meteredNanoUsd: '200' });

  it('is in dollars and percent of what was before', () => {
    const table = tableOf(now, earlierOf(before));
    const change = { nanoUsd: 100n, mark: 'exact', percent: '+50 %', share: 0.5 };
    expect(changeOfRow(table, now, 'metered')).toEqual(change);
    expect(changeOfTotal(table, 'metered')).toEqual(change);
    expect(changeOfRow(table, now, 'subscription')).toMatchObject({ percent: '–', share: null });
  });

  it('is not known where the ledger began later, or one side has no price at all', () => {
    const unknown = { nanoUsd: null, percent: null, share: null };
    const free = shop({ byBilling: unpriced });
    for (const [is, was] of [
      [now, 'nothing'],
      [free, earlierOf(before)],
      [now, earlierOf(free)],
    ] as const) {
      const table = tableOf(is, was);
      expect(changeOfRow(table, is, 'metered')).toMatchObject(unknown);
      expect(changeOfTotal(table, 'metered')).toMatchObject(unknown);
    }
  });

  it('is estimated where a side lacks prices or is still counted', () => {
    const partly = shop({ meteredNanoUsd: '300', byBilling: unpriced });
    for (const table of [
      tableOf(partly, earlierOf(before)),
      tableOf(now, earlierOf(partly)),
      tableOf(now, earlierOf(before), true),
    ])
      expect(changeOfTotal(table, 'metered').mark).toBe('estimated');
  });
});

it('a ledger has begun by the day of its first row, and never where it has none', () => {
  const start = { rows: [usageRow({ day: '2026-10-20' })] };
  expect(['2026-10-19', '2026-10-20', '2026-10-21'].map((day) => hasBegun(start, day))).toEqual([
    false,
    true,
    true,
  ]);
  expect(hasBegun({ rows: [] }, '2026-10-20')).toBe(false);
});

describe('the month', () => {
  const days = [
    usageRow({ day: '2026-10-21', meteredNanoUsd: '100' }),
    usageRow({ day: '2026-10-22', meteredNanoUsd: '900' }),
    usageRow({ day: '2026-11-21', meteredNanoUsd: '150' }),
    usageRow({ day: '2026-11-22', meteredNanoUsd: '7' }),
  ];

  it('is compared by whole days: today is not over', () => {
    const change = monthChange(days, '2026-11-22', 'metered', false);
    expect(change).toMatchObject({ since: '2026-10-01', until: '2026-10-21' });
    expect(change?.change.percent).toBe('+50 %');
    expect(monthChange(days, '2026-11-22', 'metered', true)?.change.mark).toBe('estimated');
  });

  it('is not on its first day', () => {
    expect(monthChange(days, '2026-12-01', 'metered', false)).toBeNull();
  });
});
