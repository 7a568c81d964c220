/**
 * The calendar of one time zone, by its IANA name, from the data that comes with Node: days of 23
 * and 25 hours, offsets of half and three quarters of an hour.
 */
import { LedgerError } from '../errors.ts';

export interface TimeZone {
  readonly name: string;
  /** `2026-11-22`: the day on the wall there at this instant. */
  dayAt(instantMs: number): string;
  /** The first instant of a day, or of the next one where the zone skipped it. */
  startOf(day: string): number;
}

/** Null when there is no zone of this name. */
export function openTimeZone(name: string): TimeZone | null {
  const format = formatOf(name);
  if (format === null) return null;
  const dayAt = (instantMs: number): string => {
    const parts = new Map(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
  return { name, dayAt, startOf: (day) => firstInstant(day, dayAt) };
}

/** Of the parameter `timezone`: throws `bad_parameter` when there is no such zone. */
export function expectTimeZone(name: string): TimeZone {
  const zone = openTimeZone(name);
  if (zone !== null) return zone;
  throw new LedgerError('bad_parameter', {
    field: 'timezone',
    message: 'timezone: must be the name of a time zone (Europe/Berlin).',
  });
}

const minuteMs = 60_000;
/** Every offset in use lies within. */
const offsetMinutesMax = 26 * 60;

/** By halves: days never run backwards by as much as a whole one. */
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

/** ISO's calendar reaches back before 1582 as the days of events do. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
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
