/** How a period is cut: into bars, and into the cells of the heat strip. */
import { formatDay } from '../../format/time.ts';
import { addDays, daysOf, laterDays, type Period } from '../../state/period.ts';

/** An answer has at most a thousand rows: 200 bars of five names, 41 days of 24 hours. */
const barsByDayMax = 183;
const hoursMax = 41;

export type Step = 'day' | 'week';

export function stepOf({ days }: Pick<Period, 'days'>): Step {
  return days > barsByDayMax ? 'week' : 'day';
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

/** `22 Nov`, or a week as it is. */
export function columnName(column: string, today: string): string {
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
  if (!column.includes('W')) return { since: column, until: column };
  const all = [...daysOf(period), ...laterDays(period)];
  const days = all.filter((day) => weekOf(day) === column);
  return { since: days[0] ?? period.since, until: days.at(-1) ?? period.until };
}
