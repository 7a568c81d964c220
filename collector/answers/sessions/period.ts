/**
 * Which sessions were active in a period: seen at or after its start and begun before its end.
 * Pure.
 *
 * Days are the spender's local days, or those of one time zone for everybody when requested.
 */

import type { TimeZone } from '@pi-ledger/core/time/time-zone';
import type { Condition } from '../../views/views.ts';
import { dayAfter, type Moment, parseMoment } from '../filters/conditions.ts';
import type { Period } from '../filters/filters.ts';
import { expectTimeZone } from '../filters/time-zone.ts';

export interface SessionPeriod {
  /** Conditions on the documents' columns. */
  readonly where: readonly Condition[];
  /**
   * Conditions that hold wherever the others do, on what sessions are sorted by: they end a search
   * by time.
   */
  readonly wide: readonly Condition[];
}

/** Throws `bad_parameter` for an invalid moment or time zone. */
export function sessionPeriod(query: Period & { readonly timezone?: string }): SessionPeriod {
  const since = parseMoment('since', query.since);
  const until = parseMoment('until', query.until);
  const end = until?.kind === 'day' ? dayAfter(until.day) : until;
  if (query.timezone !== undefined) {
    const zone = expectTimeZone(query.timezone);
    return { where: [...seenFrom(startIn(zone, since)), ...begun(startIn(zone, end))], wide: [] };
  }
  return {
    where: [
      ...(since?.kind === 'day' ? days('lastDay', 'from', since.day) : seenFrom(startOf(since, 0))),
      ...(end?.kind === 'day' ? days('firstDay', 'before', end.day) : begun(startOf(end, 0))),
    ],
    wide: since?.kind === 'day' ? seenFrom(startOf(since, -offsetMsMax)) : [],
  };
}

const offsetMsMax = 86_400_000;

function seenFrom(instant: string | null): Condition[] {
  return instant === null ? [] : [{ column: 'lastSeenAt', is: 'from', values: [instant] }];
}

function begun(before: string | null): Condition[] {
  return before === null ? [] : [{ column: 'startedAt', is: 'before', values: [before] }];
}

function days(column: string, is: 'from' | 'before', day: string): Condition[] {
  return [{ column, is, values: [day] }];
}

function startIn(zone: TimeZone, moment: Moment | null): string | null {
  return moment?.kind === 'day'
    ? new Date(zone.startOf(moment.day)).toISOString()
    : startOf(moment, 0);
}

/** An instant that sorts like the times of events. `shiftMs` shifts days only. */
function startOf(moment: Moment | null, shiftMs: number): string | null {
  if (moment === null) return null;
  if (moment.kind === 'hour') return `${moment.hour}:00:00.000Z`;
  return new Date(Date.parse(`${moment.day}T00:00:00Z`) + shiftMs).toISOString();
}
