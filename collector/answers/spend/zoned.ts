/**
 * Sums of the rollup `usage`, with everybody's days in one time zone instead of each spender's own.
 *
 * Guarantees: exact. The rollup's UTC hours lie within one day, except those that midnight cuts in
 * zones of half and three quarters of an hour; for these, the sessions' documents are read minute
 * by minute, up to the named limit.
 */

import type { TimeZone } from '@pi-ledger/core/time/time-zone';
import { hourMs, minuteMs } from '@pi-ledger/core/time/units';
import { LedgerError } from '../../errors.ts';
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { dayAfter, type Moment, parseMoment } from '../filters/conditions.ts';
import type { Period } from '../filters/filters.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { cellsInHours } from './cells-in-hours.ts';

export interface ZonedQuery {
  /** They are those of the rollup, except that `day` is a day of the zone. */
  readonly dimensions: readonly string[];
  readonly zone: TimeZone;
  readonly filters: readonly Condition[];
  /**
   * Days are the zone's, inclusive at both ends; an instant is rounded down to the hour and
   * exclusive as the end.
   */
  readonly period: Period;
  /** The most documents to read for cut hours; ten thousand take a second or two. */
  readonly documentsMax?: number;
}

/** Rows by these dimensions; several may be of the same. */
export async function sumInZone(asked: UsageViews, query: ZonedQuery): Promise<readonly SumRow[]> {
  const { dimensions, zone, filters, period } = query;
  const span = spanOf(period, zone);
  const isByDay = dimensions.includes('day');
  const by = [...new Set(dimensions.map((name) => (name === 'day' ? 'hour' : name)))];
  const where = [...filters, ...wholeHours(span)];
  const sums = await asked.views.sum(asked.sessions, asked.rollup ?? usage, { by, where });
  const { rows, cut } = isByDay ? hoursToDays(sums, zone) : { rows: sums, cut: [] };
  const hours = new Set([...cut, ...cutEnds(span)]);
  return hours.size === 0 ? rows : [...rows, ...(await sumCutHours(asked, hours, span, query))];
}

/** The hours of a period in a zone; null where one of its ends is within an hour. */
export function wholeHoursIn(zone: TimeZone, period: Period): readonly Condition[] | null {
  const span = spanOf(period, zone);
  return cutEnds(span).length === 0 ? wholeHours(span) : null;
}

/** From the first instant (inclusive) to the second (exclusive); null is open. */
interface Span {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

const documentsMaxDefault = 10_000;

function spanOf({ since, until }: Period, zone: TimeZone): Span {
  const from = parseMoment('since', since);
  const to = parseMoment('until', until);
  const startOf = (moment: Moment | null): number | null => {
    if (moment === null) return null;
    return moment.kind === 'day' ? zone.startOf(moment.day) : instantOf(moment.hour);
  };
  return { fromMs: startOf(from), toMs: startOf(to?.kind === 'day' ? dayAfter(to.day) : to) };
}

function wholeHours({ fromMs, toMs }: Span): Condition[] {
  return [
    ...(fromMs === null
      ? []
      : [
          {
            column: 'hour',
            is: 'from' as const,
            values: [hourOf(Math.ceil(fromMs / hourMs) * hourMs)],
          },
        ]),
    ...(toMs === null ? [] : [{ column: 'hour', is: 'before' as const, values: [hourOf(toMs)] }]),
  ];
}

function cutEnds({ fromMs, toMs }: Span): string[] {
  return [fromMs, toMs].flatMap((ms) => (ms === null || ms % hourMs === 0 ? [] : [hourOf(ms)]));
}

function hoursToDays(sums: readonly SumRow[], zone: TimeZone): { rows: SumRow[]; cut: string[] } {
  const days = new Map<string, string | null>();
  for (const { dimensions } of sums) {
    const hour = dimensions.hour ?? '';
    if (!days.has(hour)) days.set(hour, dayOfHour(hour, zone));
  }
  const rows = sums.flatMap(({ dimensions, measures }) => {
    const day = days.get(dimensions.hour ?? '');
    return typeof day === 'string' ? [{ dimensions: { ...dimensions, day }, measures }] : [];
  });
  return { rows, cut: [...days].flatMap(([hour, day]) => (day === null ? [hour] : [])) };
}

/** Returns null when midnight cuts the hour. */
function dayOfHour(hour: string, zone: TimeZone): string | null {
  const startMs = instantOf(hour);
  const day = zone.dayAt(startMs);
  return zone.dayAt(startMs + hourMs - minuteMs) === day ? day : null;
}

async function sumCutHours(
  asked: UsageViews,
  hours: ReadonlySet<string>,
  span: Span,
  { zone, filters, documentsMax = documentsMaxDefault }: ZonedQuery,
): Promise<SumRow[]> {
  const found = await cellsInHours(asked, { hours: [...hours], where: filters, documentsMax });
  if (found.is === 'tooMany') throw tooMany(zone, found.sessions, documentsMax);
  return found.cells
    .filter(({ minute }) => isWithin(span, minute * minuteMs))
    .map(({ minute, dimensions, measures }) => ({
      dimensions: { ...dimensions, day: zone.dayAt(minute * minuteMs) },
      measures,
    }));
}

function isWithin({ fromMs, toMs }: Span, ms: number): boolean {
  return (fromMs === null || ms >= fromMs) && (toMs === null || ms < toMs);
}

function hourOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 13);
}

function instantOf(hour: string): number {
  return Date.parse(`${hour}:00:00Z`);
}

function tooMany({ name }: TimeZone, count: number, documentsMax: number): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'timezone',
    message:
      `timezone: days in ${name} begin in the middle of a UTC hour, ` +
      `and ${count} sessions have spend in such hours (limit: ${documentsMax}); ` +
      'choose a shorter period.',
  });
}
