import { expect, it } from 'vitest';
import { clockIn, instantOf, todayIn, zoneOf } from '../../../../dashboards/web/state/today.ts';

const evening = Date.parse('2026-11-22T23:41:00Z');

it.each([
  ['UTC', '2026-11-22', 23],
  ['Europe/Berlin', '2026-11-23', 0],
  ['America/Los_Angeles', '2026-11-22', 15],
  ['Asia/Kolkata', '2026-11-23', 5],
])('today in %s is %s, of which %s hours are over', (timeZone, day, hour) => {
  const today = { day, reached: { hour, timeZone } };
  expect(todayIn(evening, timeZone)).toEqual({ ...today, latest: day });
  expect(todayIn(evening, undefined, timeZone)).toEqual({ ...today, latest: '2026-11-23' });
  expect(clockIn(Date.parse(instantOf(day, hour, timeZone)), timeZone)).toEqual({ day, hour });
});

it.each([
  ['2026-11-22T09:59:59Z', '2026-11-22'],
  ['2026-11-22T10:00:00Z', '2026-11-23'],
])('the latest day anywhere at %s is %s', (instant, latest) => {
  expect(todayIn(Date.parse(instant), undefined)).toMatchObject({ latest });
});

it('finds the hour of a clock on both sides of a change of the clock', () => {
  const instants = ['2026-10-24', '2026-10-25', '2026-10-26'].map((day) =>
    instantOf(day, 9, 'Europe/Berlin'),
  );
  expect(instants).toEqual([
    '2026-10-24T07:00:00.000Z',
    '2026-10-25T08:00:00.000Z',
    '2026-10-26T08:00:00.000Z',
  ]);
  expect(instantOf('2026-10-25', 24, 'UTC')).toBe('2026-10-26T00:00:00.000Z');
});

it('counts in the zone of the reader where the named one is not known', () => {
  expect(zoneOf('Mars/Olympus')).toBe(zoneOf(undefined));
});
