/**
 * Rows of the audit as they are computed: their locations in the projection `compactions`, the rows
 * in their sessions' contexts. Bounded by `locationsMax`.
 */
import { LedgerError } from '../../errors.ts';
import { type AuditLocation, compactions } from '../../projections/compactions.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import type { SessionContexts } from '../contexts/contexts.ts';
import { labelledSessions } from '../filters/label-filter.ts';
import { findSession } from '../sessions/find-session.ts';
import { type WholeSession, wholeSessions } from '../sessions/whole-sessions.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { type AuditedRow, auditedRow } from './audits/audited-sessions.ts';
import type { TimeSpan } from './audits/audits.ts';
import { comparePlaces } from './audits/places.ts';
import { type CompactionFilters, timeSpan } from './filters.ts';

export interface Searched extends UsageViews {
  readonly contexts: SessionContexts;
}

const locationsMax = 20_000;
const locationsPerQueryMax = 5_000;
const sessionsPerQueryMax = 500;

/** The newest first; more than are asked for, as not all filters are applied. */
export async function readRows(
  { views, contexts }: Searched,
  visible: VisibleViews,
  search: CompactionFilters,
): Promise<readonly AuditedRow[]> {
  const wanted =
    search.session === undefined
      ? null
      : await Promise.all(search.session.map((text) => findSession(visible.views, text)));
  const labelled = await labelledSessions(visible, search);
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
    const documents = await visible.views.find(visible.sessions, {
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
