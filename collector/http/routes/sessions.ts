/** `GET /v1/sessions` and `/v1/sessions/:id`: sessions, newest first, with their total spend. */
import { sessionColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  countSessions,
  listSessions,
  type SessionPosition,
  sessionDetails,
} from '../../queries/sessions.ts';
import type { ViewsReader } from '../../views/views.ts';
import { answering, type Reply } from '../answering.ts';
import { type CursorPart, decodeCursor, encodeCursor, fitPage } from '../cursor.ts';
import { sendList } from '../formats.ts';
import {
  filterParameters,
  formatParameter,
  limitDefault,
  pageParameters,
  periodParameters,
  timezoneParameter,
} from '../parameters.ts';
import { visibleTo } from '../visible-views.ts';

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
    total: Type.Optional(
      Type.Enum(['exclude', 'include'], {
        default: 'exclude',
        description: 'How many sessions match.',
      }),
    ),
    ...filterParameters,
    ...periodParameters,
    ...timezoneParameter,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function sessionRoutes(views: ViewsReader) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/sessions',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions', {
          summary: 'Sessions, newest first',
          description:
            'Each session that matches, with its total spend. What a session spent within a ' +
            'period or on a model is in `/v1/usage?by=session`.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const after = placeOf(decodeCursor(cursor, 2));
        const { views: visible } = visibleTo(request, views);
        const page = await listSessions(visible, request.query, { after, limit });
        const counted =
          request.query.total === 'include'
            ? { total: await countSessions(visible, request.query) }
            : {};
        const { rows, next } = fitPage(
          {
            rows: page.rows,
            places: page.rows,
            next: page.next === null ? null : cursorOf(page.next),
          },
          cursorOf,
        );
        return sendList('GET /v1/sessions', request, reply, {
          columns: sessionColumns,
          answer: { rows, next, ...counted },
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
      (request) => sessionDetails(visibleTo(request, views).views, request.params.id),
    );
  };
}

function cursorOf({ lastSeenAt, id }: SessionPosition): string {
  return encodeCursor([lastSeenAt, id]);
}

function placeOf(parts: readonly CursorPart[] | null): SessionPosition | null {
  return parts === null ? null : { lastSeenAt: String(parts[0]), id: String(parts[1]) };
}
