/** Today, in the time zone that the page counts days in. */
import { hourMs } from '../../../core/time/units.ts';
import type { Today } from '../views/view.ts';

/**
 * `zone`: the one that the URL names, an IANA name; one that is not known counts as the reader's.
 * Where it names none, days are the spenders' own: one may have begun that is tomorrow here.
 */
export function todayIn(ms: number, zone: string | undefined, readers = zoneOf(undefined)): Today {
  const timeZone = zone === undefined ? readers : zoneOf(zone);
  const { day, hour } = clockIn(ms, timeZone);
  const latest = zone === undefined ? clockIn(ms, firstZone).day : day;
  return { day, latest, reached: { hour, timeZone } };
}

/** Where each day begins first: 14 hours ahead of UTC. */
const firstZone = 'Etc/GMT-14';

/** The day and the hour, 0 to 23, of a clock there. */
export function clockIn(ms: number, timeZone: string): { day: string; hour: number } {
  const text = formatIn(timeZone).format(ms);
  return { day: text.slice(0, 10), hour: Number(text.slice(12, 14)) };
}

/** When a clock there says this hour of the day, as `2026-11-22T09:00:00.000Z`; 24: the next 0. */
export function instantOf(day: string, hour: number, timeZone: string): string {
  const wanted = Date.parse(`${day}T00:00:00Z`) + hour * hourMs;
  const near = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(near, timeZone)).toISOString();
}

/** The reader's, unless the page counts days in another one. */
export function zoneOf(zone: string | undefined): string {
  const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone ?? timeZone;
  } catch {
    return timeZone;
  }
}

/** URLs name zones: the collector reads those of every request. */
const formatsMax = 20;

/** How far clocks there are ahead of UTC, in ms. */
function offsetAt(ms: number, timeZone: string): number {
  const [day = '', time = ''] = formatIn(timeZone).format(ms).split(', ');
  return Date.parse(`${day}T${time}Z`) - Math.floor(ms / 1_000) * 1_000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-22, 09:41:07` */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const held = formats.get(timeZone);
  if (held !== undefined) return held;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  if (formats.size < formatsMax) formats.set(timeZone, format);
  return format;
}
