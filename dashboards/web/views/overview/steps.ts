/** How a period is cut: into bars, and into the cells of the heat strip. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import { formatDay } from '../../format/time.ts';
import { addDays, daysOf, laterDays, type Period } from '../../state/period.ts';
import type { Place } from '../../state/place.ts';
import { clockIn, zoneOf } from '../../state/today.ts';

/** An answer has at most a thousand rows: 200 bars of five names, 41 days of 24 hours. */
const barsByDayMax = 183;
const hoursMax = 41;

export type Step = 'day' | 'week';

export function stepOf({ days }: Pick<Period, 'days'>): Step {
  return days > barsByDayMax ? 'week' : 'day';
}

/** As hours, where there are few days. */
export type Bars = Step | 'hour';
const daysByHourMax = 2;

export function barsOf(period: Pick<Period, 'days'>): Bars {
  return period.days <= daysByHourMax ? 'hour' : stepOf(period);
}

/** Rows by hour, each in the column of its hour on the reader's clock: `2026-11-22T09`. */
function inHours(rows: readonly UsageRow[], timeZone: string): readonly UsageRow[] {
  return rows.flatMap((row) => {
    if (typeof row.hour !== 'string') return [];
    const { day, hour } = clockIn(Date.parse(row.hour), timeZone);
    return [{ ...row, day: hourColumn(day, hour) }];
  });
}

/** Every hour of the period's days, and those of other days on the reader's clock with spend. */
function hourColumns(period: Period, rows: readonly Dated[]): readonly string[] {
  const whole = daysOf(period).flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => hourColumn(day, hour)),
  );
  const spent = rows.flatMap(({ day }) => (typeof day === 'string' ? [day] : []));
  return [...new Set([...whole, ...spent])].toSorted();
}

function hourColumn(day: string, hour: number): string {
  return `${day}T${String(hour).padStart(2, '0')}`;
}

export interface BarsOfRows {
  readonly columns: readonly string[];
  readonly rows: readonly UsageRow[];
}

/** The bars of a period, with the rows that are in them. */
export function bars(
  rows: readonly UsageRow[],
  period: Period,
  { parameters }: Pick<Place, 'parameters'>,
): BarsOfRows {
  if (barsOf(period) !== 'hour') return { columns: columnsOf(period, rows), rows };
  const hours = inHours(rows, zoneOf(parameters.tz));
  return { columns: hourColumns(period, hours), rows: hours };
}

export function isByHour({ days }: Pick<Period, 'days'>): boolean {
  return days <= hoursMax;
}

/** What a row of an answer is of: a day or a week. */
interface Dated {
  readonly day?: string | null;
  readonly week?: string | null;
}

/**
 * The bars: days, or weeks such as `2026-W47`. Days that have begun elsewhere alone follow up to
 * the last that `rows` have.
 */
export function columnsOf(
  period: Period,
  rows: readonly Dated[],
  step = stepOf(period),
): readonly string[] {
  const columnIn = (day: string) => (step === 'day' ? day : weekOf(day));
  const spent = new Set(rows.map(({ day, week }) => week ?? columnIn(day ?? period.until)));
  const later = laterDays(period).map(columnIn);
  const shown = later.slice(0, later.findLastIndex((column) => spent.has(column)) + 1);
  return [...new Set([...daysOf(period).map(columnIn), ...shown])];
}

/** `22 Nov`, `09:00`, or a week as it is. */
export function columnName(column: string, today: string): string {
  const [day = '', hour] = column.split('T');
  if (hour !== undefined) return hour === '00' ? formatDay(day, today) : `${hour}:00`;
  return column.includes('W') ? column : formatDay(column, today);
}

/** The ISO week of a day, as the API names it. */
export function weekOf(day: string): string {
  const thursday = addDays(day, 3 - weekdayOf(day));
  const year = thursday.slice(0, 4);
  const days = Math.round((Date.parse(thursday) - Date.parse(`${year}-01-01`)) / 86_400_000);
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** Monday: 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The first and the last day of a day or week, within the period. */
export function daysIn(column: string, period: Period): Pick<Period, 'since' | 'until'> {
  const [day = ''] = column.split('T');
  if (!column.includes('W')) return { since: day, until: day };
  const all = [...daysOf(period), ...laterDays(period)];
  const days = all.filter((day) => weekOf(day) === column);
  return { since: days[0] ?? period.since, until: days.at(-1) ?? period.until };
}
