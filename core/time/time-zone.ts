/**
 * The calendar of one time zone by its IANA name, from Node's own data. Handles days of 23 and 25
 * hours and offsets of half and three quarters of an hour.
 */
import { minuteMs } from './units.ts';

export interface TimeZone {
  readonly name: string;
  /** `2026-11-22`: the local day at this instant. */
  dayAt(instantMs: number): string;
  /** The first instant of a day, or of the next one where the zone skipped it. */
  startOf(day: string): number;
}

/** Returns null when there is no such zone. */
export function openTimeZone(name: string): TimeZone | null {
  const format = createFormat(name);
  if (format === null) return null;
  const dayAt = (instantMs: number): string => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
  return { name, dayAt, startOf: (day) => firstInstant(day, dayAt) };
}

/** Every offset in use is smaller. */
const offsetMinutesMax = 26 * 60;

/** Bisects, because days never run backwards by a whole day. */
function firstInstant(day: string, dayAt: (instantMs: number) => string): number {
  const middle = Date.parse(`${day}T00:00:00Z`) / minuteMs;
  let before = middle - offsetMinutesMax;
  let within = middle + offsetMinutesMax;
  while (within - before > 1) {
    const minute = Math.floor((before + within) / 2);
    if (dayAt(minute * minuteMs) < day) before = minute;
    else within = minute;
  }
  return within * minuteMs;
}

/** Like the days of events, the ISO calendar is Gregorian before 1582 too. */
function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
