/**
 * Finds the rows of the audit that match: those that are kept (../audits/), or else their locations
 * in the projection `compactions` and the rows in their sessions' contexts, at most `locationsMax`.
 *
 * Like spend, a row belongs to the project, user, ... that its session had at the time.
 */
import type { Compaction } from '@pi-ledger/contract/answers';
import { LedgerError } from '../../errors.ts';
import { type AuditLocation, compactions } from '../../projections/compactions.ts';
import { sessions } from '../../projections/sessions.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import { type AuditedRow, auditedRow } from '../audits/audited-sessions.ts';
import { type Audits, type FoundRows, isWithin, type TimeSpan } from '../audits/audits.ts';
import { comparePlaces } from '../audits/places.ts';
import { filterConditions, type Moment, parseMoment, periodConditions } from '../conditions.ts';
import type { Filters, Period } from '../filters.ts';
import { findSession } from '../find-session.ts';
import { labelledSessions } from '../label-filter.ts';
import type { SessionContexts } from '../session-contexts/contexts.ts';
import { expectTimeZone, type TimeZone } from '../time-zone.ts';
import type { VisibleViews } from '../visible-views.ts';
import { type WholeSession, wholeSessions } from '../whole-sessions.ts';
import { allTotalsOf } from './totals.ts';

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

export interface Searched {
  readonly views: ViewsReader;
  readonly contexts: SessionContexts;
}

export interface ListSearched extends Searched {
  readonly audits: Audits;
}

const locationsMax = 20_000;
const locationsPerQueryMax = 5_000;
const sessionsPerQueryMax = 500;

/**
 * The newest first, their days are the spender's, and their totals. Throws `bad_parameter`, and
 * `not_found` for a session that is not there.
 */
export async function searchRows(
  asked: ListSearched,
  visible: VisibleViews,
  search: CompactionFilters,
): Promise<FoundRows> {
  const isWanted = rowFilter(search);
  const found = (rows: readonly AuditedRow[]): FoundRows => {
    const wanted = rows.filter(isWanted).map(({ row }) => row);
    return { rows: wanted, totals: allTotalsOf(wanted) };
  };
  if (visible.where.length > 0 || search.session !== undefined)
    return found(await readRows(asked, visible, search));
  const labelled = await labelledSessions({ views: visible.views, sessions }, search);
  const kept = await asked.audits.between(timeSpan(search));
  if (kept === null) return found(await readRows(asked, visible, search));
  const { kind } = search;
  const foundIn = (): FoundRows =>
    found(
      kept.rows.filter(
        ({ place }) =>
          (kind === undefined || kind.some((each) => each === place.kind)) &&
          (labelled?.has(place.session) ?? true),
      ),
    );
  return labelled === null ? kept.once(questionOf(search), foundIn) : foundIn();
}

/** Two with the same text find the same among the same rows. */
function questionOf(search: CompactionFilters): string {
  const { kind, net, regret, cost, ignored, timezone, since, until } = search;
  return JSON.stringify([
    ...[kind, net, regret, cost, ignored, timezone, since, until],
    rowConditions(search),
  ]);
}

async function readRows(
  { views, contexts }: Searched,
  visible: VisibleViews,
  search: CompactionFilters,
): Promise<readonly AuditedRow[]> {
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
  return found
    .flatMap(({ state, lineage: [session] }) =>
      (audits.get(session) ?? []).flatMap((row) =>
        ids.has(row.id) ? [auditedRow(row, state)] : [],
      ),
    )
    .sort((left, right) => comparePlaces(right.row, left.row));
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
  const where: Condition[] = [...instantConditions(timeSpan(search))];
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

/** Whether a row that was found is asked for. */
function rowFilter(search: CompactionFilters): (found: AuditedRow) => boolean {
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

const dayMs = 86_400_000;

/**
 * The stored time is UTC and the spender's day is not known yet: one day wider at each end than any
 * offset.
 */
function timeSpan(period: CompactionFilters): TimeSpan {
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

function instantConditions({ from, before }: TimeSpan): Condition[] {
  return [
    ...(from === '' ? [] : [bound('from', from)]),
    ...(before === null ? [] : [bound('before', before)]),
  ];
}

function bound(is: 'from' | 'before', instant: string): Condition {
  return { column: 'happenedAt', is, values: [instant] };
}

function tooMany(): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'since',
    message: `since: this period has more than ${locationsMax} compactions; choose a shorter one.`,
  });
}
