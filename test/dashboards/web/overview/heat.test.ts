import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../dashboards/web/state/period.ts';
import { heatOf, shadeOf, unknownOf } from '../../../../dashboards/web/views/overview/heat.ts';
import { columnsOf, daysIn, weekOf } from '../../../../dashboards/web/views/overview/steps.ts';
import { usageRow } from '../support/usage-row.ts';

/** Two hours ahead of UTC. */
const localHour = (iso: string) => {
  const local = new Date(Date.parse(iso) + 2 * 3_600_000).toISOString();
  return { day: local.slice(0, 10), hour: Number(local.slice(11, 13)) };
};

describe('the heat strip', () => {
  it('has three hours of a day in a cell, on the clock of the reader', () => {
    const rows = [
      usageRow({ hour: '2026-11-20T22:00:00Z', meteredNanoUsd: '1', subscriptionNanoUsd: '50' }),
      usageRow({ hour: '2026-11-21T00:00:00Z', meteredNanoUsd: '2' }),
      usageRow({ hour: '2026-11-21T01:00:00Z', meteredNanoUsd: '4' }),
      usageRow({ hour: '2026-11-22T22:00:00Z', meteredNanoUsd: '9' }),
    ];
    const { columns, values, beside } = heatOf(
      ['2026-11-21', '2026-11-22'],
      rows,
      'metered',
      localHour,
    );
    expect(columns).toEqual(['2026-11-21', '2026-11-22']);
    expect(values).toEqual([
      [3n, 4n, 0n, 0n, 0n, 0n, 0n, 0n],
      [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    ]);
    expect(beside).toBe(9n);
  });

  it('leaves unknown billing out of its cells, and tells how much of it each day has', () => {
    const unknownBillingNanoUsd = '7';
    const rows = [
      usageRow({ hour: '2026-11-21T01:00:00Z', meteredNanoUsd: '4', unknownBillingNanoUsd }),
      usageRow({ hour: '2026-11-21T09:00:00Z', unknownBillingNanoUsd }),
    ];
    const days = ['2026-11-21', '2026-11-22'];
    expect(heatOf(days, rows, 'metered', localHour).values[0]?.filter(Boolean)).toEqual([4n]);
    expect(unknownOf(days, rows, localHour)).toEqual([14n, 0n]);
  });

  it('has weeks by weekday where days are too many', () => {
    const rows = [
      usageRow({ day: '2026-11-22', inputTokens: 7 }),
      usageRow({ day: '2026-11-16', inputTokens: 5 }),
    ];
    const weeks = columnsOf(periodOf('90d', '2026-11-22'), rows, 'week');
    const { columns, values } = heatOf(weeks, rows, 'tokens', localHour);
    expect(columns.at(-1)).toBe('2026-W47');
    expect(values.at(-1)).toEqual([5n, 0n, 0n, 0n, 0n, 0n, 7n]);
  });

  it('shades by the share of the highest, and nothing not at all', () => {
    expect([0n, 1n, 20n, 21n, 100n].map((value) => shadeOf(value, 100n))).toEqual([0, 1, 1, 2, 5]);
  });
});

describe('columns', () => {
  it('are days, or ISO weeks, which belong to the year of their Thursday', () => {
    expect(columnsOf(periodOf('7d', '2026-11-22'), [])).toHaveLength(7);
    expect(columnsOf(periodOf('2026-01-01..2026-12-31', '2026-11-22'), [])).toHaveLength(53);
    const days = ['2027-01-03', '2027-01-04', '2024-12-30', '2026-11-22'];
    expect(days.map(weekOf)).toEqual(['2026-W53', '2027-W01', '2025-W01', '2026-W47']);
  });

  it('go on where a later day that has begun elsewhere has spend', () => {
    const period = periodOf('7d', '2026-11-22', '2026-11-24');
    const lastOf = (...days: string[]) =>
      columnsOf(
        period,
        days.map((day) => ({ day })),
      ).at(-1);
    expect(lastOf('2026-11-21', '2026-11-25')).toBe('2026-11-22');
    expect(lastOf('2026-11-23')).toBe('2026-11-23');
    expect(columnsOf(period, [{ day: '2026-11-24' }])).toHaveLength(9);
    expect(columnsOf(period, [{ day: '2026-11-24' }], 'week')).toEqual(['2026-W47', '2026-W48']);
    const year = periodOf('year', '2026-11-22', '2026-11-23');
    expect(columnsOf(year, [{ week: '2026-W47' }]).at(-1)).toBe('2026-W47');
    expect(columnsOf(year, [{ week: '2026-W48' }]).at(-1)).toBe('2026-W48');
    const days = { since: '2026-11-23', until: '2026-11-23' };
    expect(daysIn('2026-W48', year)).toEqual(days);
  });

  it('open the days that are in them, within the period', () => {
    const period = periodOf('2026-01-01..2026-12-31', '2026-11-22');
    expect(daysIn('2026-W01', period)).toEqual({ since: '2026-01-01', until: '2026-01-04' });
    expect(daysIn('2026-11-20', period)).toEqual({ since: '2026-11-20', until: '2026-11-20' });
  });
});
