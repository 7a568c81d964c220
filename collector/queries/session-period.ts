/**
 * Which sessions were active in a period: seen at or after its start and begun before its end.
 * Pure.
 *
 * Days are the spender's local days, or those of one time zone for everybody when requested.
 */
import type { SessionState } from '../projections/session/document.ts';
import type { Condition } from '../views/views.ts';
import { dayAfter, type Moment, parseMoment } from './conditions.ts';
import type { Period } from './filters.ts';
import { expectTimeZone, type TimeZone } from './time-zone.ts';

export interface SessionPeriod {
  /**
   * Conditions on the documents' columns. These do not know the spender's days, so the range is
   * wide enough for every UTC offset.
   */
  readonly where: readonly Condition[];
  /** Null when the conditions suffice. */
  readonly isWithin: ((state: SessionState) => boolean) | null;
}

/** Throws `bad_parameter` for an invalid moment or time zone. */
export function sessionPeriod(query: Period & { readonly timezone?: string }): SessionPeriod {
  const since = parseMoment('since', query.since);
  const until = parseMoment('until', query.until);
  if (query.timezone !== undefined) {
    const zone = expectTimeZone(query.timezone);
    const end = until?.kind === 'day' ? dayAfter(until.day) : until;
    return { where: conditions(startIn(zone, since), startIn(zone, end)), isWithin: null };
  }
  const where = conditions(startOf(since, -offsetMsMax), endOf(until, offsetMsMax));
  const byDay = since?.kind === 'day' || until?.kind === 'day';
  return { where, isWithin: byDay ? (state) => isWithin(state, since, until) : null };
}

const dayMs = 86_400_000;
const offsetMsMax = dayMs;

function conditions(from: string | null, to: string | null): Condition[] {
  return [
    ...(from === null ? [] : [{ column: 'lastSeenAt', is: 'from' as const, values: [from] }]),
    ...(to === null ? [] : [{ column: 'startedAt', is: 'before' as const, values: [to] }]),
  ];
}

function isWithin(state: SessionState, since: Moment | null, until: Moment | null): boolean {
  const offsetMs = (state.timeline.attributions.at(-1)?.facts.utcOffsetMinutes ?? 0) * 60_000;
  const from = startOf(since, -offsetMs);
  const to = endOf(until, -offsetMs);
  return (
    (from === null || state.lastSeenAt >= from) &&
    (to === null || (state.started?.at ?? state.firstSeenAt) < to)
  );
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
  return new Date(Math.min(Date.parse(`${moment.day}T00:00:00Z`) + shiftMs, lastMs)).toISOString();
}

/** The last instant of a four-digit year. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

function endOf(moment: Moment | null, shiftMs: number): string | null {
  return moment?.kind === 'day' ? startOf(moment, shiftMs + dayMs) : startOf(moment, shiftMs);
}
