/** `GET /v1/context/{session}`: what filled a session's window, turn by turn. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Node, Tree } from '../context/path.ts';
import { LedgerError } from '../errors.ts';
import { answering, type Reply } from './answering.ts';
import type { Searched } from './compaction-search.ts';
import { contextAnswer } from './context-answer.ts';
import { findSession, noSession } from './find-session.ts';
import { readingOf } from './reading.ts';
import { wholeSessions } from './whole-sessions.ts';

const pointsDefault = 500;
const pointsMax = 5_000;

const Query = Type.Object(
  {
    points: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: pointsMax,
        default: pointsDefault,
        description: 'How many points at most; compactions are kept even when they alone are more.',
      }),
    ),
    at: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The entry whose composition is asked for; default: the newest.' }),
    ),
  },
  { additionalProperties: false },
);

export function contextRoutes({ views, contexts }: Searched) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: { session: string }; Querystring: Static<typeof Query> } & Reply<'GET /v1/context/{session}'>>(
      '/v1/context/:session',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/context/{session}', {
          summary: 'The context window of a session over its turns, and what fills it',
          tags: ['views'],
          params: Type.Object({
            session: Type.String({ minLength: 1, maxLength: 200, description: 'Its id, the beginning of it, or `last`.' }),
          }),
          querystring: Query,
        }),
      },
      async (request) => {
        const { points = pointsDefault, at } = request.query;
        const reading = readingOf(request, views);
        const [session] = await wholeSessions(reading, [await findSession(reading.views, request.params.session)]);
        if (session === undefined) throw noSession();
        const context = await contexts.open(session);
        return contextAnswer(context, session.state, { pointsMax: points, at: at === undefined ? null : nodeAt(context.tree, at) });
      },
    );
  };
}

function nodeAt(tree: Tree, entryId: string): Node {
  const node = tree.node(entryId);
  if (node !== null) return node;
  throw new LedgerError('bad_parameter', {
    field: 'at',
    message: `at: the ledger holds no entry ${JSON.stringify(entryId)} of this session.`,
  });
}
