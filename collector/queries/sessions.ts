/** Lists sessions, the newest first, each with its total spend. */
import type { Answers, Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../projections/session/document.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { Condition, ViewDocument, ViewsReader } from '../views/views.ts';
import { cacheDimensions, createCacheFigures } from './cache-figures.ts';
import { filterConditions } from './conditions.ts';
import type { Filters, Period } from './filters.ts';
import { findSession, noSession } from './find-session.ts';
import { type SessionPeriod, sessionPeriod } from './session-period.ts';
import { figuresBySession, toSessionRow } from './session-row.ts';
import { findMembers, findRoots } from './session-trees.ts';
import { sessionTimings } from './timings/session.ts';

export interface SessionFilters extends Filters, Period {
  /** Limits the list to the trees that these sessions belong to. */
  readonly tree?: readonly string[];
  /** Sessions of ignored projects; default: exclude. */
  readonly ignored?: 'exclude' | 'include';
  readonly timezone?: string;
}

/** A position in the list, which is sorted by these. */
export type SessionPosition = Pick<Session, 'lastSeenAt' | 'id'>;

export interface SessionPage {
  readonly rows: readonly Session[];
  /** The last position examined; null at the end of the list. */
  readonly next: SessionPosition | null;
}

/**
 * `views`: as the caller may see them. A page can be short although the list goes on, because only
 * so many sessions are examined per page.
 */
export async function listSessions(
  views: ViewsReader,
  filters: SessionFilters,
  { after, limit }: { readonly after: SessionPosition | null; readonly limit: number },
): Promise<SessionPage> {
  const { documents, resumeAt } = await findSessions(views, filters, after, limit + 1);
  const rows = await toRows(views, documents.slice(0, limit).map(decode));
  return { rows, next: documents.length > limit ? (rows.at(-1) ?? null) : resumeAt };
}

/** `text`: its id, the start of it, or `last`. Throws `not_found` or `bad_parameter`. */
export async function sessionDetails(
  views: ViewsReader,
  text: string,
): Promise<Answers['GET /v1/sessions/{id}']> {
  const state = decode(await findSession(views, text));
  const [row] = await toRows(views, [state]);
  if (row === undefined) throw noSession();
  const spent = await views.sum(sessions, usage, {
    by: cacheDimensions,
    where: [{ column: 'session', is: 'in', values: [state.id] }],
  });
  const cache = createCacheFigures(spent)(spent);
  const { toolFiguresOf, runs, runsTotal } = await sessionTimings(views, state.id);
  const tools = [...state.tools.values()].map(({ name, calls, errors }) => {
    const { calls: _, failures: __, ...measured } = toolFiguresOf(name);
    return { name, calls, errors, ...measured };
  });
  return { ...row, cache, toolErrors: state.counts.toolErrors, tools, runs, runsTotal };
}

const documentsMax = 10_000;
const chunkMax = 500;

/** How many sessions match. Null: more had to be examined than 10,000. */
export async function countSessions(
  views: ViewsReader,
  filters: SessionFilters,
): Promise<number | null> {
  let count = 0;
  let examined = 0;
  for await (const chunk of chunksOf(views, filters, null, chunkMax)) {
    count += chunk.documents.length;
    examined += chunk.examined;
    if (examined > documentsMax && chunk.end !== null) return null;
  }
  return count;
}

interface FoundSessions {
  readonly documents: readonly ViewDocument[];
  /** Where to continue when the search ended before the list did. */
  readonly resumeAt: SessionPosition | null;
}

async function findSessions(
  views: ViewsReader,
  filters: SessionFilters,
  after: SessionPosition | null,
  wanted: number,
): Promise<FoundSessions> {
  const documents: ViewDocument[] = [];
  let examined = 0;
  for await (const chunk of chunksOf(views, filters, after, Math.max(chunkMax, wanted))) {
    documents.push(...chunk.documents);
    if (documents.length >= wanted) break;
    examined += chunk.examined;
    if (examined >= documentsMax) return { documents, resumeAt: chunk.end };
  }
  return { documents, resumeAt: null };
}

interface Chunk {
  /** Those that match. */
  readonly documents: readonly ViewDocument[];
  readonly examined: number;
  /** The last position examined; null at the end of the list. */
  readonly end: SessionPosition | null;
}

/** The store filters by its columns; the rest is filtered here. */
async function* chunksOf(
  views: ViewsReader,
  filters: SessionFilters,
  after: SessionPosition | null,
  limit: number,
): AsyncGenerator<Chunk> {
  const period = sessionPeriod(filters);
  const where = [
    ...filterConditions(filters, ownColumns),
    ...period.where,
    ...(await otherColumns(views, filters)),
  ];
  const fits = await createFilter(views, filters, period.isWithin);
  const orderBy = { column: 'lastSeenAt', descending: true };
  let position = after;
  do {
    const from =
      position === null ? {} : { after: { value: position.lastSeenAt, key: position.id } };
    const chunk = await views.find(sessions, { where, orderBy, limit, ...from });
    const last = chunk.length < limit ? undefined : chunk.at(-1);
    position =
      last === undefined ? null : { lastSeenAt: String(last.columns.lastSeenAt), id: last.key };
    yield { documents: chunk.filter(fits), examined: chunk.length, end: position };
  } while (position !== null);
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
  return (document) =>
    (spenders === null || spenders.has(document.key)) &&
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

async function toRows(
  views: ViewsReader,
  states: readonly SessionState[],
): Promise<readonly Session[]> {
  if (states.length === 0) return [];
  const ids = states.map(({ id }) => id);
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  const figuresOf = figuresBySession(
    await views.sum(sessions, usage, { by: ['session', 'billing'], where }),
  );
  const roots = await findRoots(views, ids);
  return states.map((state) =>
    toSessionRow(state, {
      rootSessionId: roots.get(state.id) ?? state.id,
      figures: figuresOf(state.id),
    }),
  );
}
