import { expect, it } from 'vitest';
import { digestPeriod } from '../../../../collector/answers/digest/period.ts';
import type { Unit } from '../../../../collector/cli/first-day.ts';

const nowMs = Date.parse('2026-11-19T14:20:00Z');
const today = '2026-11-19';
const moment = { today, latest: today, nowMs };

it.each<[Unit, string, string, string, string, string]>([
  ['day', '2026-11-18', '2026-11-18', '2026-11-18', '2026-11-17', '2026-11-17'],
  ['week', '2026-11-15', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
  ['week', '2026-11-09', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
  ['month', '2026-10-31', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
  ['month', '2026-03-01', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['month', '2026-01-15', '2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['week', '2026-01-01', '2025-12-29', '2026-01-04', '2025-12-22', '2025-12-28'],
])('a %s of %s that is over is compared with all of the one before', (unit, day, ...bounds) => {
  const [since, until, sinceBefore, untilBefore] = bounds;
  expect(digestPeriod(unit, day, moment)).toEqual({
    unit,
    since,
    until,
    latest: until,
    before: { since: sinceBefore, until: untilBefore },
    isPartial: false,
  });
});

it.each<[Unit, string, string, string]>([
  ['day', '2026-11-19', '2026-11-18', '2026-11-18T15:00:00.000Z'],
  ['week', '2026-11-16', '2026-11-09', '2026-11-12T15:00:00.000Z'],
  ['month', '2026-11-01', '2026-10-01', '2026-10-19T15:00:00.000Z'],
])('a %s that goes on is compared until the end of the same hour', (unit, since, ...before) => {
  const [sinceBefore, untilBefore] = before;
  expect(digestPeriod(unit, today, moment)).toEqual({
    unit,
    since,
    until: today,
    latest: today,
    before: { since: sinceBefore, until: untilBefore },
    isPartial: true,
  });
});

it.each<[Unit, string]>([
  ['day', '2026-11-19'],
  ['week', '2026-11-20'],
  ['month', '2026-11-20'],
])('a %s that goes on reaches to %s where that has begun elsewhere', (unit, latest) => {
  const elsewhere = digestPeriod(unit, today, { ...moment, latest: '2026-11-20' });
  expect(elsewhere).toEqual({ ...digestPeriod(unit, today, moment), latest });
});

it('compares the 31st with all of a shorter month', () => {
  const on = (day: string) =>
    digestPeriod('month', day, {
      ...{ today: day, latest: day },
      nowMs: Date.parse(`${day}T14:20:00Z`),
    }).before;
  expect(on('2026-03-31')).toEqual({ since: '2026-02-01', until: '2026-02-28' });
  expect(on('2026-03-28').until).toBe('2026-02-28T15:00:00.000Z');
});

it('refuses what has not begun', () => {
  expect(() => digestPeriod('week', '2026-11-23', moment)).toThrow(
    '--week: that of 2026-11-23 has not begun',
  );
  expect(digestPeriod('week', '2026-11-22', moment).since).toBe('2026-11-16');
});
