/**
 * Which rows of the audit are asked for: by what their session was at the time, and when they
 * happened on whose calendar. Pure.
 */

import type { Compaction } from '@pi-ledger/contract/answers';
import type { TimeZone } from '@pi-ledger/core/time/time-zone';
import { dayMs } from '@pi-ledger/core/time/units';
import { fits } from '../../views/match-condition.ts';
import type { Condition } from '../../views/views.ts';
import {
  filterConditions,
  type Moment,
  parseMoment,
  periodConditions,
} from '../filters/conditions.ts';
import type { Filters, Period } from '../filters/filters.ts';
import { expectTimeZone } from '../filters/time-zone.ts';
import type { AuditedRow } from './audits/audited-sessions.ts';
import { isWithin, type TimeSpan } from './audits/audits.ts';

export interface CompactionFilters extends Omit<Filters, 'kind'>, Period {
  /** Ids, the beginnings of ids, or `last`. */
  readonly session?: readonly string[];
  readonly kind?: readonly Compaction['kind'][];
  readonly trigger?: readonly string[];
  /** `negative`: only those that cost more than they saved. */
  readonly net?: 'negative';
  /** `some`: only those after which files were read again. */
  readonly regret?: 'some';
  /** `unreported`: only those whose summary call has no reported cost. */
  readonly cost?: 'unreported';
  /** Rows of ignored projects; default: exclude. */
  readonly ignored?: 'exclude' | 'include';
  readonly timezone?: string;
  /** Rows of sessions with records that have this label. */
  readonly label?: readonly string[];
}

/** Whether a row that was found is asked for. */
export function rowFilter(search: CompactionFilters): (found: AuditedRow) => boolean {
  const zone = search.timezone === undefined ? null : expectTimeZone(search.timezone);
  const conditions = rowConditions(search);
  const period = periodConditions(search, { day: 'day', hour: 'hour' });
  const inner = innerSpan(search);
  const { net, regret, cost } = search;
  return ({ row, branch, isIgnored }) =>
    (search.ignored === 'include' || !isIgnored) &&
    (net === undefined || didNotPay(row)) &&
    (regret === undefined || (row.regretReads ?? 0) > 0) &&
    (cost === undefined || row.costSource === cost) &&
    (conditions.length === 0 || fits(dimensionsOf(row, branch), conditions)) &&
    (isWithin(row.time, inner) ||
      fits({ day: dayIn(row, zone), hour: row.time.slice(0, 13) }, period));
}

/** Also if an unknown cost is left out of its net: with that cost it would be even lower. */
function didNotPay({ netNanoUsd }: Compaction): boolean {
  return netNanoUsd?.startsWith('-') === true;
}

function rowConditions({ kind: _, ...search }: CompactionFilters): Condition[] {
  const names = ['project', 'branch', 'user', 'machine', 'host', 'provider', 'model'] as const;
  const columns = Object.fromEntries(names.map((name) => [name, name]));
  return [
    ...filterConditions(search, columns),
    ...(search.trigger === undefined
      ? []
      : [{ column: 'trigger', is: 'in' as const, values: search.trigger }]),
  ];
}

function dimensionsOf(row: Compaction, branch: string): Record<string, string> {
  const { project, user, machine, host, provider, model, trigger } = row;
  return {
    ...{ project: project ?? '', branch, user: user ?? '', machine: machine ?? '' },
    ...{ host: host ?? '', provider: provider ?? '', model: model ?? '', trigger: trigger ?? '' },
  };
}

/** `zone`: null: on the calendar of who spent. */
export function dayIn(row: Compaction, zone: TimeZone | null): string {
  return zone === null ? row.day : zone.dayAt(Date.parse(row.time));
}

/**
 * The stored time is UTC and the spender's day is not known yet: one day wider at each end than any
 * offset.
 */
export function timeSpan(period: CompactionFilters): TimeSpan {
  return spanWithin(period, -dayMs, 2 * dayMs);
}

/** What happened then is in the period on any calendar: its day need not be looked up. */
function innerSpan(period: CompactionFilters): TimeSpan {
  return spanWithin(period, 2 * dayMs, -dayMs);
}

function spanWithin(
  { since, until }: CompactionFilters,
  fromShiftMs: number,
  beforeShiftMs: number,
): TimeSpan {
  const from = parseMoment('since', since);
  const to = parseMoment('until', until);
  return {
    from: from === null ? '' : instantOf(from, fromShiftMs),
    before: to === null ? null : instantOf(to, beforeShiftMs),
  };
}

/** Days are moved by this much. */
function instantOf(moment: Moment, shiftMs: number): string {
  if (moment.kind === 'hour') return `${moment.hour}:00:00.000Z`;
  const atMs = Date.parse(`${moment.day}T00:00:00Z`) + shiftMs;
  return new Date(Math.min(atMs, lastMs)).toISOString();
}

/** The last instant of a four-digit year. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Two with the same text find the same among the same rows. */
export function questionOf(search: CompactionFilters): string {
  const { kind, net, regret, cost, ignored, timezone, since, until } = search;
  return JSON.stringify([
    ...[kind, net, regret, cost, ignored, timezone, since, until],
    rowConditions(search),
  ]);
}
