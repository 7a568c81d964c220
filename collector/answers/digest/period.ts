/** The day, week or month of a digest, and what it is compared with. Pure. */

import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs, hourMs } from '@pi-ledger/core/time/units';
import { UsageError } from '../../cli/command.ts';
import { firstDay, daysAfter as moved, type Unit } from '../../cli/first-day.ts';

export interface Span {
  /** The first day. */
  readonly since: string;
  /** The last day, or the hour at which it ends. */
  readonly until: string;
}

export interface DigestPeriod extends Span {
  readonly unit: Unit;
  /** The last day that is asked for: later than `until` where one of it has begun elsewhere. */
  readonly latest: string;
  /** The same part of the period before. */
  readonly before: Span;
  /** It goes on. */
  readonly isPartial: boolean;
}

export interface DigestMoment {
  readonly today: string;
  readonly latest: string;
  readonly nowMs: number;
}

/**
 * `day`: any day of the period; `today`: where the reader is; `latest`: the latest day that has
 * begun where somebody spends. Weeks begin on Monday. Throws a UsageError if the period has not
 * begun.
 */
export function digestPeriod(
  unit: Unit,
  day: string,
  { today, latest, nowMs }: DigestMoment,
): DigestPeriod {
  const since = firstDay(unit, day);
  if (since > today) throw new UsageError(`--${unit}: that of ${day} has not begun`);
  const end = moved(firstDay(unit, moved(since, lengthMax[unit])), -1);
  const before = { since: firstDay(unit, moved(since, -1)), until: moved(since, -1) };
  if (end < today) return { unit, since, until: end, latest: end, before, isPartial: false };
  const days = (msOf(since) - msOf(before.since)) / dayMs;
  return {
    unit,
    since,
    until: today,
    latest: latest < end ? latest : end,
    before: samePart(before, today, nowMs, days),
    isPartial: true,
  };
}

/** A day in the next period, whatever day one begins with. */
const lengthMax: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 31 };

/** Until the end of the same hour: amounts are kept by the hour. A shorter month, all of it. */
function samePart(before: Span, today: string, nowMs: number, days: number): Span {
  if (moved(today, -days) > before.until) return before;
  const endMs = nowMs - days * dayMs + hourMs;
  return { ...before, until: new Date(endMs - (endMs % hourMs)).toISOString() };
}

function msOf(day: string): number {
  return dayStartMs(day) ?? 0;
}
