import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hourText,
  localDayText,
  toMillisecond,
  toMinute,
} from '../../../../collector/projections/session/calendar.ts';

const anyTime = fc
  .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

it('reads times as Date does', () => {
  fc.assert(
    fc.property(anyTime, (time) => {
      expect(toMillisecond(time)).toBe(Date.parse(time));
      expect(toMinute(time)).toBe(Math.floor(Date.parse(time) / 60_000));
    }),
  );
});

it('names the hour in UTC, and the day where the clock of whoever spent stood', () => {
  const minute = toMinute('2026-11-22T23:59:59.999Z');
  expect(hourText(minute)).toBe('2026-11-22T23');
  expect([-1_440, 0, 1, 60].map((offset) => localDayText(minute, offset))).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-23',
    '2026-11-23',
  ]);
});
