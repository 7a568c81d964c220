/** Which sessions match: the store filters by its columns, the rest is filtered here, in chunks. */
import type { Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../projections/session/document.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { Condition, ViewDocument, ViewsReader } from '../views/views.ts';
import { filterConditions } from './conditions.ts';
import type { Filters, Period } from './filters.ts';
import { labelledSessions } from './label-filter.ts';
import { type SessionPeriod, sessionPeriod } from './session-period.ts';
import { findMembers } from './session-trees.ts';

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

interface FoundSessions {
  readonly documents: readonly ViewDocument[];
  /** Where to continue when the search ended before the list did. */
  readonly resumeAt: SessionPosition | null;
}

export interface SessionSearch {
  /** Null: from the newest on. */
  readonly after: SessionPosition | null;
  /** `all`: a search of exactly as many as are examined has found its end. */
  readonly wanted: number | 'all';
  /** False: documents may come without their bodies. */
  readonly bodies: boolean;
}

/** The newest first. */
export async function findSessions(
  views: ViewsReader,
  filters: SessionFilters,
  { after, wanted, bodies }: SessionSearch,
): Promise<FoundSessions> {
  const period = sessionPeriod(filters);
  const where = [
    ...filterConditions(filters, ownColumns),
    ...period.where,
    ...(await otherColumns(views, filters)),
  ];
  const fits = await createFilter(views, filters, period.isWithin);
  const documents: ViewDocument[] = [];
  let position = after;
  const examinedMax = wanted === 'all' ? documentsMax + 1 : documentsMax;
  for (let seen = 0; seen < examinedMax; ) {
    const chunkMin = seen === 0 && wanted !== 'all' ? chunkFirst : chunkMax;
    const most = wanted === 'all' ? chunkMin : Math.max(chunkMin, wanted);
    const limit = Math.min(most, examinedMax - seen);
    const orderBy = { column: 'lastSeenAt', descending: true };
    const from =
      position === null ? {} : { after: { value: position.lastSeenAt, key: position.id } };
    const read = { where, orderBy, limit, bodies: bodies || period.isWithin !== null, ...from };
    const chunk = await views.find(sessions, read);
    documents.push(...chunk.filter(fits));
    const last = chunk.at(-1);
    if (
      last === undefined ||
      chunk.length < limit ||
      (wanted !== 'all' && documents.length >= wanted)
    )
      return { documents, resumeAt: null };
    seen += chunk.length;
    position = { lastSeenAt: String(last.columns.lastSeenAt), id: last.key };
  }
  return { documents, resumeAt: position };
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

type Fits = (document: ViewDocument) => boolean;

async function createFilter(
  views: ViewsReader,
  filters: SessionFilters,
  isWithin: SessionPeriod['isWithin'],
): Promise<Fits> {
  const spenders = await findSpenders(views, filters);
  const labelled = await labelledSessions({ views, sessions }, filters);
  return (document) =>
    (spenders === null || spenders.has(document.key)) &&
    (labelled === null || labelled.has(document.key)) &&
    (isWithin === null || isWithin(decode(document)));
}

/** Sessions with spend on these models, providers or kinds; null without such filters. */
async function findSpenders(
  views: ViewsReader,
  filters: SessionFilters,
): Promise<ReadonlySet<string> | null> {
  const where = filterConditions(filters, { provider: 'provider', model: 'model', kind: 'kind' });
  if (where.length === 0) return null;
  const rows = await views.sum(sessions, usage, { by: ['session'], where });
  return new Set(rows.map(({ dimensions }) => dimensions.session ?? ''));
}

function decode(document: ViewDocument): SessionState {
  return sessions.decode(document.body);
}
