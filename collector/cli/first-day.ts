/** The days that people mean by a week and a month. Pure. */
import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs } from '@pi-ledger/core/time/units';

export type Unit = 'day' | 'week' | 'month';

const daysOfWeek = 7;

/** The first of the unit that has this day; weeks begin on Monday. */
export function firstDay(unit: Unit, day: string): string {
  if (unit === 'day') return day;
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  const sinceMonday = (new Date(dayStartMs(day) ?? 0).getUTCDay() + daysOfWeek - 1) % daysOfWeek;
  return daysAfter(day, -sinceMonday);
}

export function daysAfter(day: string, days: number): string {
  return new Date((dayStartMs(day) ?? 0) + days * dayMs).toISOString().slice(0, 10);
}
