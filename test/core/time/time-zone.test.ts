import { openTimeZone, type TimeZone } from '@pi-ledger/core/time/time-zone';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function zone(name: string): TimeZone {
  const opened = openTimeZone(name);
  if (opened === null) throw new Error(`no zone ${name}`);
  return opened;
}

const hoursOf = (name: string, day: string, next: string) =>
  (zone(name).startOf(next) - zone(name).startOf(day)) / 3_600_000;

describe('a time zone', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-30', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-26', 25],
    ['America/New_York', '2026-03-08', '2026-03-09', 23],
    ['America/New_York', '2026-11-01', '2026-11-02', 25],
    // A shift of half an hour.
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-05', 23.5],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-06', 24.5],
    ['Asia/Kolkata', '2026-03-29', '2026-03-30', 24],
    ['UTC', '2026-03-29', '2026-03-30', 24],
  ])('%s: the day %s has %s hours', (name, day, next, hours) => {
    expect(hoursOf(name, day, next)).toBe(hours);
  });

  it.each([
    ['Asia/Kathmandu', '2026-11-22', '2026-11-21T18:15:00.000Z'],
    ['Asia/Kolkata', '2026-11-22', '2026-11-21T18:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-07-01', '2026-06-30T13:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-22', '2026-11-21T10:00:00.000Z'],
    ['America/New_York', '2026-11-22', '2026-11-22T05:00:00.000Z'],
    // A skipped day gives the start of the next one.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ])('%s: %s begins at %s', (name, day, instant) => {
    expect(new Date(zone(name).startOf(day)).toISOString()).toBe(instant);
  });

  it.each(['Mars/Olympus', '', 'Europe/Berlin ', 'CEST2', '../etc'])('%j is none', (name) => {
    expect(openTimeZone(name)).toBeNull();
  });

  it('has days that begin where the day before ends', () => {
    const names = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'UTC',
    );
    fc.assert(
      fc.property(names, fc.integer({ min: 10_957, max: 30_000 }), (name, days) => {
        const day = new Date(days * 86_400_000).toISOString().slice(0, 10);
        const { startOf, dayAt } = zone(name);
        expect([dayAt(startOf(day)), dayAt(startOf(day) - 60_000) < day]).toEqual([day, true]);
      }),
    );
  });

  it('is UTC’s own calendar in UTC, back to the first year', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9998-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(zone('UTC').dayAt(date.getTime())).toBe(date.toISOString().slice(0, 10));
        },
      ),
    );
  });
});
