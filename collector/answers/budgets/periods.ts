/** The calendar periods of budgets in their time zones. Pure. */

import type { BudgetDefinition, BudgetPeriod } from '@pi-ledger/contract';
import { openTimeZone, type TimeZone } from '@pi-ledger/core/time/time-zone';
import { dayMs } from '@pi-ledger/core/time/units';
import { daysOfPer } from './definition.ts';

export interface CalendarPeriod {
  /** Local days, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

type Periods = Pick<BudgetDefinition, 'per' | 'from'>;

/** The one that contains this instant. */
export function periodAt(of: Periods, zone: TimeZone, atMs: number): CalendarPeriod {
  const today = zone.dayAt(atMs);
  const firstDay = firstDayOf(of, today);
  const nextDay = nextPeriodOf(of, firstDay);
  return {
    firstDay,
    lastDay: addDays(nextDay, -1),
    startMs: zone.startOf(firstDay),
    endMs: zone.startOf(nextDay),
  };
}

export function periodText({ startMs, endMs }: CalendarPeriod): BudgetPeriod {
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

/** Weeks begin on Monday; periods of so many days are counted from a day, back as well. */
function firstDayOf({ per, from }: Periods, day: string): string {
  if (per === 'month') return `${day.slice(0, 8)}01`;
  if (per === 'week') return addDays(day, -((weekdayOf(day) + 6) % 7));
  const days = daysOfPer(per);
  if (days === null || from === undefined) return day;
  const since = Math.round((Date.parse(day) - Date.parse(from)) / dayMs);
  return addDays(day, -(((since % days) + days) % days));
}

function nextPeriodOf({ per }: Periods, firstDay: string): string {
  if (per === 'month') return `${addDays(firstDay, 31).slice(0, 8)}01`;
  return addDays(firstDay, per === 'week' ? 7 : (daysOfPer(per) ?? 1));
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** 0: Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** A zone that this Node does not know (a definition from another one) is UTC. */
export function zoneOf(name: string): TimeZone {
  const zone = openTimeZone(name) ?? openTimeZone('UTC');
  if (zone === null) throw new Error('There is no time zone UTC.');
  return zone;
}
