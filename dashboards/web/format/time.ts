/** Days and times in the reader's locale and time zone; days of the ledger are the spender's. */

const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayOfYearFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const longDayFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const clockFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', timeZone: 'UTC' });
const daysFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' });

/** `Sunday` */
export function weekdayName(day: string): string {
  return weekdayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `November` */
export function formatMonth(day: string): string {
  return monthFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `1 – 22 October` */
export function formatDays(since: string, until: string): string {
  return daysFormat.formatRange(new Date(`${since}T00:00:00Z`), new Date(`${until}T00:00:00Z`));
}

/** `22 Nov`, with the year where it is another one than that of `today`. */
export function formatDay(day: string, today: string): string {
  const format = day.slice(0, 4) === today.slice(0, 4) ? dayFormat : dayOfYearFormat;
  return format.format(new Date(`${day}T00:00:00Z`));
}

/** `Sunday 22 November` */
export function formatLongDay(day: string): string {
  return longDayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `20:40` on the reader's clock. */
export function formatClock(time: string | number | Date): string {
  return clockFormat.format(new Date(time));
}

/** `22 Nov 20:40` on the reader's clock. */
export function formatMoment(iso: string, today: string): string {
  return `${formatDay(localDay(new Date(iso)), today)} ${formatClock(iso)}`;
}

/** The day on the reader's calendar, `2026-11-22`. */
export function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const hoursMax = 48;

/** `9.0 s`, `3 min`, `1 h 35`, `31 days`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= hoursMax * 60) return `${Math.round(minutes / (24 * 60))} days`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}
