/** The days that insights are about, and the time before that they are compared with. Pure. */

import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs, hourMs } from '@pi-ledger/core/time/units';
import { LedgerError } from '../../errors.ts';
import { hourText } from '../../projections/session/calendar.ts';
import type { Condition } from '../../views/views.ts';

/** Days, both included, each in the spender's own zone. */
export interface Span {
  readonly since: string;
  readonly until: string;
  readonly days: number;
}

export interface Period extends Span {
  /** Its last day is over for everybody: nothing in it is compared by the hour. */
  readonly isOver: boolean;
}

const offsetMsMax = 14 * hourMs;
const daysDefault = 30;
const daysMax = 3_660;

/** Throws `bad_parameter`. */
export function periodOf(
  { since, until }: { readonly since?: string; readonly until?: string },
  nowMs: number,
): Period {
  const lastAsked = until ?? dayOf(Math.max(nowMs, dayStartMs(since ?? '') ?? 0));
  const lastMs = dayStartMs(lastAsked);
  if (lastMs === null) throw bad('until', 'must be a day (2026-11-22).');
  const first = since ?? dayOf(Math.min(lastMs, nowMs) - daysDefault * dayMs);
  const firstMs = dayStartMs(first);
  // East of UTC, the day that has begun may be tomorrow.
  if (firstMs === null || first > dayOf(nowMs + offsetMsMax))
    throw bad('since', 'must be a day (2026-11-22), today or before.');
  if (lastMs < firstMs) throw bad('until', 'must not be before `since`.');
  const last = lastAsked > dayOf(nowMs) && first <= dayOf(nowMs) ? dayOf(nowMs) : lastAsked;
  const days = Math.round(((dayStartMs(last) ?? 0) - firstMs) / dayMs) + 1;
  if (days > daysMax) throw bad('since', `at most ${daysMax} days back.`);
  return { since: first, until: last, days, isOver: last < dayOf(nowMs) };
}

/** To compare, the ledger has to have begun by this day: nine tenths of the time before. */
export function firstNeeded({ since, days }: Period): string {
  return daysBefore(since, Math.ceil(days * 0.9));
}

/** Days of the spender. A period that is not over has no end: it may be tomorrow there. */
export function inPeriod({ since, until, isOver }: Period): readonly Condition[] {
  const from: Condition = { column: 'day', is: 'from', values: [since] };
  return isOver ? [from, { column: 'day', is: 'before', values: [daysBefore(until, -1)] }] : [from];
}

/**
 * The time before. Where the last day is not over, until the end of the same hour: a day that is
 * not over is not compared with a whole one.
 */
export function inTimeBefore(period: Period, nowMs: number): readonly Condition[] {
  const days: readonly Condition[] = [
    { column: 'day', is: 'from', values: [daysBefore(period.since, period.days)] },
    { column: 'day', is: 'before', values: [period.since] },
  ];
  if (period.isOver) return days;
  const endMs = nowMs - period.days * dayMs + hourMs;
  return [...days, { column: 'hour', is: 'before', values: [hourText(endMs / 60_000)] }];
}

/** `the 30 days before, until the same hour` */
export function beforeWords({ days, isOver }: Period): string {
  const words = days === 1 ? 'the day before' : `the ${days} days before`;
  return isOver ? words : `${words}, until the same hour`;
}

function daysBefore(day: string, days: number): string {
  return dayOf((dayStartMs(day) ?? 0) - days * dayMs);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function bad(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}` });
}
