/** `GET /v1/sessions` and `/v1/sessions/:id`: sessions, newest first, with their total spend. */
import { type Session, sessionColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import {
  amountIn,
  type CursorPart,
  decodeCursor,
  encodeCursor,
  fitPage,
} from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import {
  filterParameters,
  formatParameter,
  labelParameter,
  limitDefault,
  pageParameters,
  periodParameters,
  timezoneParameter,
} from '../../http/parameters.ts';
import type { SessionContexts } from '../contexts/contexts.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { visibleTo } from '../views/visible-to.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { type AmountPosition, listByAmount } from './by-amount.ts';
import { listSessions, sessionDetails } from './query.ts';
import { countSessions, type SessionPosition } from './search.ts';
import { lastContexts } from './surroundings.ts';

/** Each is computed from the whole session. */
const contextsMax = 50;

const Query = Type.Object(
  {
    tree: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Only the trees of these sessions: all forks and subagents of one root.',
      }),
    ),
    ignored: Type.Optional(
      Type.Enum(['exclude', 'include'], {
        default: 'exclude',
        description: 'Sessions of ignored projects.',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(['newest', 'metered', 'subscription', 'unknown'], {
        default: 'newest',
        description: 'The newest first, or the costliest by this kind of billing.',
      }),
    ),
    total: Type.Optional(
      Type.Enum(['exclude', 'include'], {
        default: 'exclude',
        description: 'How many sessions match.',
      }),
    ),
    context: Type.Optional(
      Type.Enum(['include', 'exclude'], {
        default: 'exclude',
        description: `Whether rows say how full the window is; at most ${contextsMax} rows.`,
      }),
    ),
    ...filterParameters,
    ...labelParameter,
    ...periodParameters,
    ...timezoneParameter,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export interface SessionRoutesOptions extends UsageViews {
  readonly contexts: SessionContexts;
}

export function routes(asked: SessionRoutesOptions) {
  const { contexts } = asked;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/sessions',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions', {
          summary: 'Sessions, newest or costliest first',
          description:
            'Each session that matches, with its total spend, by which they are sorted, too. ' +
            'What a session spent within a period or on a model is in `/v1/usage?by=session`.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { query } = request;
        const visible = visibleTo(request, asked);
        const isContextAsked = query.context === 'include';
        expectFewContexts(query);
        const { rows, next } = await pageOf(visible, query);
        const shown = isContextAsked ? await withContexts(visible, contexts, rows) : rows;
        const isTotalAsked = query.total === 'include';
        const total = isTotalAsked ? { total: await countSessions(visible, query) } : {};
        return sendList('GET /v1/sessions', request, reply, {
          columns: [...sessionColumns, ...(isContextAsked ? contextColumns : [])],
          answer: { rows: shown, next, ...total },
        });
      },
    );

    app.get<{ Params: { id: string } } & Reply<'GET /v1/sessions/{id}'>>(
      '/v1/sessions/:id',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions/{id}', {
          summary: 'One session',
          tags: ['views'],
          params: Type.Object({
            id: Type.String({
              maxLength: 200,
              description: 'Its id, the start of its id, or `last`.',
            }),
          }),
        }),
      },
      (request) => sessionDetails(visibleTo(request, asked), request.params.id),
    );
  };
}

const contextColumns = ['context.tokens', 'context.thresholdTokens', 'context.windowTokens'];

function expectFewContexts({ context, limit = limitDefault }: Query): void {
  if (context !== 'include' || limit <= contextsMax) return;
  throw new LedgerError('bad_parameter', {
    field: 'context',
    message: `context: at most ${contextsMax} rows can say it; set \`limit\`.`,
  });
}

interface RowsAndNext {
  readonly rows: readonly Session[];
  readonly next: string | null;
}

async function pageOf(visible: VisibleViews, query: Query): Promise<RowsAndNext> {
  const { limit = limitDefault, sort = 'newest' } = query;
  const parts = decodeCursor(query.cursor, 2);
  if (sort === 'newest') {
    const page = await listSessions(visible, query, { after: placeOf(parts), limit });
    const next = page.next === null ? null : cursorOf(page.next);
    return fitPage({ rows: page.rows, places: page.rows, next }, cursorOf);
  }
  const after = parts === null ? null : { amount: amountIn(parts[0]), id: String(parts[1]) };
  const page = await listByAmount(visible, query, { billing: sort, after, limit });
  const next = page.next === null ? null : amountCursorOf(page.next);
  return fitPage({ rows: page.rows, places: page.positions, next }, amountCursorOf);
}

async function withContexts(
  visible: VisibleViews,
  contexts: SessionContexts,
  rows: readonly Session[],
): Promise<readonly Session[]> {
  const ids = rows.map(({ id }) => id);
  const known = await lastContexts(visible, contexts, ids);
  return rows.map((row) => ({ ...row, context: known.get(row.id) ?? null }));
}

function amountCursorOf({ amount, id }: AmountPosition): string {
  return encodeCursor([amount.toString(), id]);
}

function cursorOf({ lastSeenAt, id }: SessionPosition): string {
  return encodeCursor([lastSeenAt, id]);
}

function placeOf(parts: readonly CursorPart[] | null): SessionPosition | null {
  return parts === null ? null : { lastSeenAt: String(parts[0]), id: String(parts[1]) };
}
