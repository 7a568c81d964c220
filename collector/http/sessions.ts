/** `GET /v1/sessions` and `/v1/sessions/:id`: the sessions that fit, newest first, each with what it spent in all. */
import { sessionColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { SessionState } from '../projections/session/document.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { Condition, ViewDocument, Views } from '../views/views.ts';
import { answering, type Reply } from './answering.ts';
import { filterConditions } from './conditions.ts';
import { noSession } from './find-session.ts';
import { sendList } from './formats.ts';
import { cutPage, decodeCursor, encodeCursor, fitPage } from './page.ts';
import { filterParameters, formatParameter, limitDefault, pageParameters, periodParameters, timezoneParameter } from './parameters.ts';
import { readingOf } from './reading.ts';
import { type SessionPeriod, sessionPeriod } from './session-period.ts';
import { figuresBySession, toSessionRow } from './session-row.ts';
import { findMembers, findRoots } from './session-trees.ts';

const Query = Type.Object(
  {
    tree: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Only the trees that these sessions belong to: all forks and subagents of one root.',
      }),
    ),
    ignored: Type.Optional(Type.Enum(['exclude', 'include'], { default: 'exclude', description: 'Sessions of ignored projects.' })),
    ...filterParameters,
    ...periodParameters,
    ...timezoneParameter,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function sessionRoutes(views: Views) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/sessions',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions', {
          summary: 'Sessions, newest first',
          description:
            'Those that fit, with what each spent in all: what a session spent within a period or on a model is `/v1/usage?by=session`.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const seen = readingOf(request, views).views;
        const found = await findSessions(seen, request.query, decodeCursor(cursor, 2), limit + 1);
        const page = cutPage(found.documents, limit, cursorOf);
        const all = await toRows(seen, page.rows.map(decode));
        const { rows, next } = fitPage({ rows: all, places: page.rows, next: page.next ?? found.resumeAt }, cursorOf);
        return sendList('GET /v1/sessions', request, reply, { columns: sessionColumns, answer: { rows, next } });
      },
    );

    app.get<{ Params: { id: string } } & Reply<'GET /v1/sessions/{id}'>>(
      '/v1/sessions/:id',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions/{id}', {
          summary: 'One session',
          tags: ['views'],
          params: Type.Object({ id: Type.String({ maxLength: 200 }) }),
        }),
      },
      async (request) => {
        const seen = readingOf(request, views).views;
        const state = await loadSession(seen, request.params.id);
        const [row] = await toRows(seen, [state]);
        if (row === undefined) throw noSession();
        return { ...row, toolErrors: state.counts.toolErrors, tools: [...state.tools.values()] };
      },
    );
  };
}

/** How many documents one request looks at; the page is then short and its cursor goes on from there. */
const documentsMax = 10_000;
const chunkMax = 500;

interface Found {
  readonly documents: readonly ViewDocument[];
  /** Where to go on when the search ended before the list did. */
  readonly resumeAt: string | null;
}

/** The store narrows by what it has columns for; the rest is looked at here, in chunks. */
async function findSessions(views: Views, query: Query, after: readonly unknown[] | null, wanted: number): Promise<Found> {
  const period = sessionPeriod(query);
  const where = [...filterConditions(query, sessionFilters), ...period.where, ...(await otherColumns(views, query))];
  const fits = await createFilter(views, query, period.isWithin);
  const documents: ViewDocument[] = [];
  let place = after === null ? undefined : { value: String(after[0]), key: String(after[1]) };
  for (let seen = 0; seen < documentsMax; ) {
    const limit = Math.max(chunkMax, wanted);
    const orderBy = { column: 'lastSeenAt', descending: true };
    const chunk = await views.find(sessions, { where, orderBy, limit, ...(place === undefined ? {} : { after: place }) });
    documents.push(...chunk.filter(fits));
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < limit || documents.length >= wanted) return { documents, resumeAt: null };
    seen += chunk.length;
    place = { value: String(last.columns.lastSeenAt), key: last.key };
  }
  return { documents, resumeAt: place === undefined ? null : encodeCursor([place.value, place.key]) };
}

const sessionFilters = { project: 'project', branch: 'branch', user: 'user', machine: 'machine', host: 'host' } as const;

async function otherColumns(views: Views, { tree, ignored }: Query): Promise<Condition[]> {
  return [
    ...(ignored === 'include' ? [] : [{ column: 'ignored', is: 'in' as const, values: [0] }]),
    ...(tree === undefined ? [] : [{ column: 'key', is: 'in' as const, values: await findMembers(views, tree) }]),
  ];
}

async function createFilter(views: Views, query: Query, isWithin: SessionPeriod['isWithin']): Promise<(document: ViewDocument) => boolean> {
  const spenders = await findSpenders(views, query);
  return (document) => (spenders === null || spenders.has(document.key)) && (isWithin === null || isWithin(decode(document)));
}

/** Sessions that spent something on these models, providers or kinds; null when nothing of that is asked for. */
async function findSpenders(views: Views, query: Query): Promise<ReadonlySet<string> | null> {
  const where = filterConditions(query, { provider: 'provider', model: 'model', kind: 'kind' });
  if (where.length === 0) return null;
  const rows = await views.sum(sessions, usage, { by: ['session'], where });
  return new Set(rows.map(({ dimensions }) => dimensions.session ?? ''));
}

function decode(document: ViewDocument): SessionState {
  return sessions.decode(document.body);
}

async function loadSession(views: Views, id: string): Promise<SessionState> {
  const generation = await views.live(sessions);
  const bodies = generation === null ? null : await views.load(sessions, generation.id, [id]);
  const body = bodies?.get(id);
  if (body === undefined) throw noSession();
  return sessions.decode(body);
}

async function toRows(views: Views, states: readonly SessionState[]) {
  if (states.length === 0) return [];
  const ids = states.map(({ id }) => id);
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  const figuresOf = figuresBySession(await views.sum(sessions, usage, { by: ['session', 'billing'], where }));
  const roots = await findRoots(views, ids);
  return states.map((state) => toSessionRow(state, { rootSessionId: roots.get(state.id) ?? state.id, figures: figuresOf(state.id) }));
}

function cursorOf(last: ViewDocument): string {
  return encodeCursor([String(last.columns.lastSeenAt), last.key]);
}
