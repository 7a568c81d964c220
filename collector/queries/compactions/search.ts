/**
 * Finds the rows of the audit that match: their locations in the projection `compactions`, the rows
 * in their sessions' contexts.
 *
 * Like spend, a row belongs to the project, user, ... that its session had at the time. Bounded by
 * `locationsMax`.
 */
import type { Compaction } from '@pi-ledger/contract/answers';
import { LedgerError } from '../../errors.ts';
import { type AuditLocation, compactions } from '../../projections/compactions.ts';
import { minuteOf } from '../../projections/session/calendar.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/labels.ts';
import { sessions } from '../../projections/sessions.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import { filterConditions, parseMoment, periodConditions } from '../conditions.ts';
import type { AuditRow } from '../context/audit.ts';
import type { Filters, Period } from '../filters.ts';
import { findSession } from '../find-session.ts';
import { labelledSessions } from '../label-filter.ts';
import type { SessionContexts } from '../session-contexts/contexts.ts';
import { expectTimeZone, type TimeZone } from '../time-zone.ts';
import type { VisibleViews } from '../visible-views.ts';
import { type WholeSession, wholeSessions } from '../whole-sessions.ts';
import { dayOf } from './row.ts';

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

export interface FoundRow {
  readonly row: AuditRow;
  readonly state: SessionState;
}

export interface Searched {
  readonly views: ViewsReader;
  readonly contexts: SessionContexts;
}

const locationsMax = 20_000;
const locationsPerQueryMax = 5_000;
const sessionsPerQueryMax = 500;

/** The newest first. Throws `bad_parameter`, and `not_found` for a session that is not there. */
export async function searchRows(
  { views, contexts }: Searched,
  visible: VisibleViews,
  search: CompactionFilters,
): Promise<readonly FoundRow[]> {
  const zone = search.timezone === undefined ? null : expectTimeZone(search.timezone);
  const conditions = rowConditions(search);
  const wanted =
    search.session === undefined
      ? null
      : await Promise.all(search.session.map((text) => findSession(visible.views, text)));
  const labelled = await labelledSessions({ views: visible.views, sessions }, search);
  const located = await findLocations(views, search, wanted);
  const locations = located.filter(({ session }) => labelled?.has(session) ?? true);
  const found = await sessionsOf(visible, [...new Set(locations.map(({ session }) => session))]);
  const audits = await contexts.audits(found);
  const ids = new Set(locations.map(({ id }) => id));
  const rows = found.flatMap(({ state, lineage: [session] }) =>
    (audits.get(session) ?? []).flatMap((row) =>
      ids.has(row.id) && isWanted(row, state) ? [{ row, state }] : [],
    ),
  );
  return rows.sort((left, right) => compareRows(right.row, left.row));

  function isWanted(row: AuditRow, state: SessionState): boolean {
    const { isIgnored, ...dimensions } = dimensionsOf(row, state, zone);
    return (search.ignored === 'include' || !isIgnored) && fits(dimensions, conditions);
  }
}

/** Compares by time, then by id. */
export function compareRows(left: CompactionPosition, right: CompactionPosition): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return left.id === right.id ? 0 : left.id < right.id ? -1 : 1;
}

export interface CompactionPosition {
  readonly time: string;
  readonly id: string;
}

/** Leaves out sessions that the caller may not see in full. */
async function sessionsOf(
  visible: VisibleViews,
  ids: readonly string[],
): Promise<readonly WholeSession[]> {
  const found: WholeSession[] = [];
  for (let from = 0; from < ids.length; from += sessionsPerQueryMax) {
    const values = ids.slice(from, from + sessionsPerQueryMax);
    const where = [{ column: 'key', is: 'in' as const, values }];
    const documents = await visible.views.find(sessions, {
      where,
      orderBy: { column: 'key', descending: false },
      limit: values.length,
    });
    found.push(...(await wholeSessions(visible, documents)));
  }
  return found;
}

async function findLocations(
  views: ViewsReader,
  search: CompactionFilters,
  wanted: readonly ViewDocument[] | null,
): Promise<readonly AuditLocation[]> {
  const where: Condition[] = [...instantConditions(search)];
  if (wanted !== null)
    where.push({ column: 'session', is: 'in', values: wanted.map(({ key }) => key) });
  if (search.kind !== undefined) where.push({ column: 'kind', is: 'in', values: search.kind });
  const locations: AuditLocation[] = [];
  const orderBy = { column: 'happenedAt', descending: true };
  for (let after: DocumentQuery['after']; ; ) {
    const page = await views.find(compactions, {
      where,
      orderBy,
      limit: locationsPerQueryMax,
      ...(after === undefined ? {} : { after }),
    });
    locations.push(...page.map(({ body }) => compactions.decode(body)));
    const last = page.at(-1);
    if (last === undefined || page.length < locationsPerQueryMax) return locations;
    if (locations.length >= locationsMax) throw tooMany();
    after = { value: last.columns.happenedAt ?? null, key: last.key };
  }
}

function rowConditions({ kind: _, ...search }: CompactionFilters): Condition[] {
  const names = ['project', 'branch', 'user', 'machine', 'host', 'provider', 'model'] as const;
  const columns = Object.fromEntries(names.map((name) => [name, name]));
  return [
    ...filterConditions(search, columns),
    ...(search.trigger === undefined
      ? []
      : [{ column: 'trigger', is: 'in' as const, values: search.trigger }]),
    ...periodConditions(search, { day: 'day', hour: 'hour' }),
  ];
}

function dimensionsOf(row: AuditRow, state: SessionState, zone: TimeZone | null) {
  const minute = minuteOf(row.time);
  const { provider, model } = row.kind === 'failure' ? { provider: '', model: '' } : row;
  const { project, branch, user, machine, host, utcOffsetMinutes, isIgnored } = labelsAt(
    state.timeline,
    minute,
    provider,
  );
  const day = dayOf(row.time, utcOffsetMinutes, zone);
  const labels = {
    project,
    branch,
    user,
    machine,
    host,
    provider,
    model,
    trigger: row.trigger ?? '',
  };
  return { ...labels, day, hour: row.time.slice(0, 13), isIgnored };
}

const dayMs = 86_400_000;

/**
 * The stored time is UTC and the spender's day is not known yet: one day wider at each end than any
 * offset.
 */
function instantConditions({ since, until }: CompactionFilters): Condition[] {
  const from = parseMoment('since', since);
  const to = parseMoment('until', until);
  const at = (text: string, shiftMs: number) =>
    new Date(Math.min(Date.parse(text) + shiftMs, lastMs)).toISOString();
  return [
    ...(from === null
      ? []
      : [
          bound(
            'from',
            from.kind === 'day' ? at(`${from.day}T00:00:00Z`, -dayMs) : `${from.hour}:00:00.000Z`,
          ),
        ]),
    ...(to === null
      ? []
      : [
          bound(
            'before',
            to.kind === 'day' ? at(`${to.day}T00:00:00Z`, 2 * dayMs) : `${to.hour}:00:00.000Z`,
          ),
        ]),
  ];
}

/** The last instant of a four-digit year. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

function bound(is: 'from' | 'before', instant: string): Condition {
  return { column: 'happenedAt', is, values: [instant] };
}

function tooMany(): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'since',
    message: `since: this period has more than ${locationsMax} compactions; choose a shorter one.`,
  });
}
