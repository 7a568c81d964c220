import { describe, expect, it } from 'vitest';
import type { BudgetPer } from '../../../../collector/answers/budgets/definition.ts';
import { periodAt, periodText, zoneOf } from '../../../../collector/answers/budgets/periods.ts';

describe('the period of a budget', () => {
  it.each<[BudgetPer, string, string, string, string]>([
    ['day', 'UTC', '2026-11-22T23:59:59Z', '2026-11-22T00:00', '2026-11-23T00:00'],
    ['day', 'Asia/Kolkata', '2026-11-22T18:30:00Z', '2026-11-22T18:30', '2026-11-23T18:30'],
    // The clocks change on 29 March and 25 October: days of 23 and 25 hours.
    ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['day', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['week', 'UTC', '2026-11-22T12:00:00Z', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['week', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23T00:00', '2026-11-30T00:00'],
    ['week', 'America/New_York', '2026-11-23T04:59:00Z', '2026-11-16T05:00', '2026-11-23T05:00'],
    ['month', 'Europe/Berlin', '2026-10-31T23:00:00Z', '2026-10-31T23:00', '2026-11-30T23:00'],
    ['month', 'UTC', '2026-12-31T23:00:00Z', '2026-12-01T00:00', '2027-01-01T00:00'],
    ['month', 'UTC', '2028-02-29T10:00:00Z', '2028-02-01T00:00', '2028-03-01T00:00'],
  ])('%s in %s at %s', (per, zone, at, start, end) => {
    expect(periodText(periodAt({ per }, zoneOf(zone), Date.parse(at)))).toEqual({
      start: `${start}:00.000Z`,
      end: `${end}:00.000Z`,
    });
  });

  it.each([
    ['14 days', '2026-11-02', '2026-11-02T00:00:00Z', '2026-11-02', '2026-11-16'],
    ['14 days', '2026-11-02', '2026-11-15T23:59:59Z', '2026-11-02', '2026-11-16'],
    ['14 days', '2026-11-02', '2026-11-16T00:00:00Z', '2026-11-16', '2026-11-30'],
    // Back from it, too, and over a year's end.
    ['14 days', '2026-11-02', '2026-11-01T12:00:00Z', '2026-10-19', '2026-11-02'],
    ['30 days', '2026-11-02', '2027-01-05T12:00:00Z', '2027-01-01', '2027-01-31'],
    ['2 days', '2028-02-28', '2028-03-01T12:00:00Z', '2028-03-01', '2028-03-03'],
  ])('%s from %s at %s', (per, from, at, start, end) => {
    expect(periodAt({ per, from }, zoneOf('UTC'), Date.parse(at))).toMatchObject({
      firstDay: start,
      startMs: Date.parse(start),
      endMs: Date.parse(end),
    });
  });
});
