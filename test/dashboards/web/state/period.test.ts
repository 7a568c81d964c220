import { describe, expect, it } from 'vitest';
import {
  daysOf,
  isPeriod,
  laterDays,
  periodAfter,
  periodBefore,
  periodOf,
  rangeOf,
} from '../../../../dashboards/web/state/period.ts';

const today = '2026-11-22';

describe('a range', () => {
  it.each([
    [undefined, '2026-10-24', '2026-11-22', 30],
    ['today', '2026-11-22', '2026-11-22', 1],
    ['7d', '2026-11-16', '2026-11-22', 7],
    ['month', '2026-11-01', '2026-11-22', 22],
    ['year', '2026-01-01', '2026-11-22', 326],
    ['2026-02-01..2026-02-28', '2026-02-01', '2026-02-28', 28],
  ])('%s is %s to %s, %s days', (range, since, until, days) => {
    expect(periodOf(range, today)).toMatchObject({ since, until, days });
    expect(isPeriod(range ?? '30d', today)).toBe(true);
  });

  it.each([
    '',
    '0d',
    'tomorrow',
    '2026-02-30..2026-03-01',
    '2026-03-02..2026-03-01',
    '<img>',
    '9999d',
    '0001-01-01..9999-12-31',
  ])('%j is read as the last 30 days', (range) => {
    expect(periodOf(range, today)).toEqual(periodOf(undefined, today));
    expect(isPeriod(range, today)).toBe(false);
  });
});

describe('a range that is named', () => {
  it.each([
    ['yesterday', '2026-11-21', '2026-11-21'],
    ['last-month', '2026-10-01', '2026-10-31'],
  ])('%s is over, wherever a later day has begun', (range, since, until) => {
    expect(periodOf(range, '2026-11-22', '2026-11-23')).toMatchObject({
      ...{ since, until, latest: until },
    });
  });

  it('all begins with the ledger, but ten years ago at most', () => {
    const of = (first?: string) => periodOf('all', '2026-11-22', '2026-11-22', first).since;
    expect([of('2026-09-01'), of('2027-01-01')]).toEqual(['2026-09-01', '2026-11-22']);
    expect([of('1999-01-01'), of()]).toEqual(['2016-11-15', '2016-11-15']);
  });
});

describe('where a later day has begun elsewhere', () => {
  const tomorrow = '2026-11-23';

  it.each(['today', '7d', 'month', 'year', undefined])('%s asks for that day too', (range) => {
    const here = periodOf(range, today);
    expect(periodOf(range, today, tomorrow)).toEqual({ ...here, latest: tomorrow });
    expect(laterDays(here)).toEqual([]);
    expect(laterDays(periodOf(range, today, tomorrow))).toEqual([tomorrow]);
  });

  it('asks for no other day than those that are spelled out', () => {
    const range = '2026-10-01..2026-11-22';
    expect(periodOf(range, today, tomorrow)).toEqual(periodOf(range, today));
  });

  it('has the same days before and after', () => {
    const period = periodOf('7d', today, tomorrow);
    expect(periodBefore(period)).toEqual(periodBefore(periodOf('7d', today)));
    expect(periodAfter(period)).toEqual(periodAfter(periodOf('7d', today)));
  });
});

describe('the period before', () => {
  it('is as long, and the one after it is the first again', () => {
    const period = periodOf('7d', today);
    const before = periodBefore(period);
    expect(rangeOf(before)).toBe('2026-11-09..2026-11-15');
    expect(rangeOf(periodAfter(before))).toBe(rangeOf(period));
  });
});

it('has every day once, over the end of summer time as well', () => {
  const days = daysOf(periodOf('2026-10-24..2026-10-27', today));
  expect(days).toEqual(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
});
