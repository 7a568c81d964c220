/** How a period is cut: into bars, and into the cells of the heat strip. */
import { addDays, daysOf, type Period } from '../../state/period.ts';

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

/** The bars: days, or weeks such as `2026-W47`. */
export function columnsOf(period: Period): readonly string[] {
  const days = daysOf(period);
  return stepOf(period) === 'day' ? days : [...new Set(days.map(weekOf))];
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
  const days = daysOf(period).filter((day) => weekOf(day) === column);
  return { since: days[0] ?? period.since, until: days.at(-1) ?? period.until };
}
