/** Which sessions match: the store filters by its columns, the rest is filtered here, in chunks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session } from '@pi-ledger/contract/answers';
import { usage } from '../../projections/usage.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import { filterConditions } from '../filters/conditions.ts';
import type { Filters, Period } from '../filters/filters.ts';
import { labelledSessions } from '../filters/label-filter.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { type SessionPeriod, sessionPeriod } from './period.ts';
import { findMembers } from './trees.ts';

export interface SessionFilters extends Filters, Period {
  /** Limits the list to the trees that these sessions belong to. */
  readonly tree?: readonly string[];
  /** Sessions of ignored projects; default: exclude. */
  readonly ignored?: 'exclude' | 'include';
  readonly timezone?: string;
  /** Sessions with records that have this label. */
  readonly label?: readonly string[];
}

/** A position in the list, which is sorted by these. */
export type SessionPosition = Pick<Session, 'lastSeenAt' | 'id'>;

const documentsMax = 10_000;
/** Mostly the first few match: a page of ten reads no 500 documents. */
const chunkFirst = 50;
const chunkMax = 500;

/** A position in any order: the value of the column that sorts. */
export interface FoundPosition {
  readonly value: string;
  readonly id: string;
}

interface FoundSessions {
  readonly documents: readonly ViewDocument[];
  /** Where to continue when the search ended before the list did. */
  readonly resumeAt: FoundPosition | null;
}

export interface SessionSearch {
  /** Default: the newest first. */
  readonly orderBy?: DocumentQuery['orderBy'];
  /** When it is null, the search begins with the first session. */
  readonly after: FoundPosition | null;
  /** `all`: a search of exactly as many as are examined has found its end. */
  readonly wanted: number | 'all';
  /** False: documents may come without their bodies. */
  readonly bodies: boolean;
}

const newestFirst = { column: 'lastSeenAt', descending: true };

export async function findSessions(
  asked: UsageViews,
  filters: SessionFilters,
  { orderBy = newestFirst, after, wanted, bodies }: SessionSearch,
): Promise<FoundSessions> {
  const { views, sessions } = asked;
  const { wide, where: exact } = await sessionConditions(views, filters);
  const where = orderBy === newestFirst ? [...exact, ...wide] : exact;
  const fitting = await findByRecords(asked, filters);
  const documents: ViewDocument[] = [];
  let position = after;
  const examinedMax = wanted === 'all' ? documentsMax + 1 : documentsMax;
  for (let seen = 0; seen < examinedMax; ) {
    const chunkMin = seen === 0 && wanted !== 'all' ? chunkFirst : chunkMax;
    const most = wanted === 'all' ? chunkMin : Math.max(chunkMin, wanted);
    const limit = Math.min(most, examinedMax - seen);
    const from = position === null ? {} : { after: { value: position.value, key: position.id } };
    const chunk = await views.find(sessions, { where, orderBy, limit, bodies, ...from });
    documents.push(...chunk.filter(({ key }) => fitting === null || fitting.has(key)));
    const last = chunk.at(-1);
    if (
      last === undefined ||
      chunk.length < limit ||
      (wanted !== 'all' && documents.length >= wanted)
    )
      return { documents, resumeAt: null };
    seen += chunk.length;
    await nextTurn();
    position = { value: String(last.columns[orderBy.column]), id: last.key };
  }
  return { documents, resumeAt: position };
}

const idsPerQuery = 5_000;

/** How many match. */
export async function countSessions(asked: UsageViews, filters: SessionFilters): Promise<number> {
  const { views, sessions } = asked;
  const { where } = await sessionConditions(views, filters);
  const fitting = await findByRecords(asked, filters);
  if (fitting === null) return views.count(sessions, where);
  let count = 0;
  const ids = [...fitting];
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const values = ids.slice(from, from + idsPerQuery);
    count += await views.count(sessions, [...where, { column: 'key', is: 'in', values }]);
  }
  return count;
}

async function sessionConditions(
  views: ViewsReader,
  filters: SessionFilters,
): Promise<SessionPeriod> {
  const { where, wide } = sessionPeriod(filters);
  const own = filterConditions(filters, ownColumns);
  return { where: [...own, ...where, ...(await otherColumns(views, filters))], wide };
}

const ownColumns = {
  project: 'project',
  branch: 'branch',
  user: 'user',
  machine: 'machine',
  host: 'host',
} as const;

async function otherColumns(
  views: ViewsReader,
  { tree, ignored }: SessionFilters,
): Promise<Condition[]> {
  return [
    ...(ignored === 'include' ? [] : [{ column: 'ignored', is: 'in' as const, values: [0] }]),
    ...(tree === undefined
      ? []
      : [{ column: 'key', is: 'in' as const, values: await findMembers(views, tree) }]),
  ];
}

/** By what their records have; null: no such filter. */
async function findByRecords(
  asked: UsageViews,
  filters: SessionFilters,
): Promise<ReadonlySet<string> | null> {
  const spenders = await findSpenders(asked, filters);
  const labelled = await labelledSessions(asked, filters);
  return spenders === null || labelled === null
    ? (spenders ?? labelled)
    : new Set([...spenders].filter((id) => labelled.has(id)));
}

/** Sessions with spend on these models, providers or kinds; null without such filters. */
async function findSpenders(
  { views, sessions }: UsageViews,
  filters: SessionFilters,
): Promise<ReadonlySet<string> | null> {
  const where = filterConditions(filters, { provider: 'provider', model: 'model', kind: 'kind' });
  if (where.length === 0) return null;
  const rows = await views.tally(sessions, usage, { by: ['session'], of: 'session', where });
  return new Set(rows.map(({ dimensions }) => dimensions.session ?? ''));
}
