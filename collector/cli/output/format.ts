/** How numbers and times are written for people; JSON and CSV do not use this. */
import { dollarText, grouped } from '@pi-ledger/contract/amounts';

/** Three figures: `63.1M`, `1.08G`. Counts below 10,000 are exact. */
export function shortCount(count: number | bigint | string): string {
  const value = Number(count);
  const unit = units.find(({ size }) => value >= size * justBelow);
  if (value < 10_000 || unit === undefined) return grouped(count);
  const inUnits = value / unit.size;
  return `${inUnits.toFixed(inUnits < 9.995 ? 2 : inUnits < 99.95 ? 1 : 0)}${unit.name}`;
}

/** A unit begins where three figures of the one below would round up to it. */
const justBelow = 0.9995;
const units = [
  { name: 'T', size: 1e12 },
  { name: 'G', size: 1e9 },
  { name: 'M', size: 1e6 },
  { name: 'k', size: 1e3 },
] as const;

/** `91 %`; a dash if there is nothing to have a share of. */
export function formatShare(part: bigint, whole: bigint): string {
  return whole === 0n ? '–' : `${Math.round((Number(part) / Number(whole)) * 100)} %`;
}

/** Like `dollarText`, with a plus before what is more than nothing. */
export function signed(nanoUsd: bigint, decimals: number): string {
  return `${nanoUsd > 0n ? '+' : ''}${dollarText(nanoUsd, decimals)}`;
}

/** `2026-11-22 14:05`, in this time zone or the reader's own. */
export function formatTime(iso: string | null, timeZone?: string): string {
  if (iso === null) {
    return '';
  }
  const date = new Date(iso);
  if (timeZone !== undefined) {
    // Sweden writes dates as ISO does.
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(date);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

interface MomentStyle {
  readonly now: Date;
  /** Undefined: the reader's own. */
  readonly timeZone?: string | undefined;
  /** Also for other days than today. */
  readonly withTime?: boolean;
}

/** `today 19:33`, `Tue 17 Nov`, with the year only if it is another one. '' for null. */
export function formatMoment(
  iso: string | null,
  { now, timeZone, withTime = false }: MomentStyle,
): string {
  if (iso === null) return '';
  const [day = '', time = ''] = formatTime(iso, timeZone).split(' ');
  const [today = ''] = formatTime(now.toISOString(), timeZone).split(' ');
  const date = dayBeside(day, today);
  if (day === today) return `${date} ${time}`;
  return withTime ? `${date} ${time}` : date;
}

/** `today`, `Tue 17 Nov` for `2026-11-17`: a day of whoever's calendar. */
export function formatCalendarDay(day: string, { now, timeZone }: MomentStyle): string {
  const [today = ''] = formatTime(now.toISOString(), timeZone).split(' ');
  return dayBeside(day, today);
}

function dayBeside(day: string, today: string): string {
  if (day === today) return 'today';
  return `${weekdays[new Date(day).getUTCDay()]} ${formatDay(day, today)}`;
}

/** `17 Nov` for `2026-11-17`, with the year if `today` is in another one. */
export function formatDay(day: string, today: string): string {
  const [year, month, date] = day.split('-');
  const text = `${Number(date)} ${months[Number(month) - 1] ?? month}`;
  return year === today.slice(0, 4) ? text : `${text} ${year}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;

/** The names are listed as in a sentence: `pi and omp`, or `pi or omp`. */
export function formatNames(
  named: readonly { readonly name: string }[],
  type: Intl.ListFormatOptions['type'] = 'conjunction',
): string {
  return new Intl.ListFormat('en', { type }).format(named.map(({ name }) => name));
}
