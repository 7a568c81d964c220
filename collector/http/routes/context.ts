/** `GET /v1/context/{session}`: what filled a session's window, turn by turn. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Searched } from '../../queries/compactions/search.ts';
import { contextWindow } from '../../queries/context-window.ts';
import { answering, type Reply } from '../answering.ts';
import { visibleTo } from '../visible-views.ts';

const pointsDefault = 500;
const pointsMax = 5_000;

const Query = Type.Object(
  {
    points: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: pointsMax,
        default: pointsDefault,
        description: 'The most points to return; all compactions are kept even beyond this.',
      }),
    ),
    at: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Return the composition at this entry; default: the newest.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function contextRoutes(asked: Searched) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<
      {
        Params: { session: string };
        Querystring: Static<typeof Query>;
      } & Reply<'GET /v1/context/{session}'>
    >(
      '/v1/context/:session',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/context/{session}', {
          summary: 'The context window of a session over its turns, and what fills it',
          tags: ['views'],
          params: Type.Object({
            session: Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Its id, the start of its id, or `last`.',
            }),
          }),
          querystring: Query,
        }),
      },
      (request) => {
        const { points = pointsDefault, ...rest } = request.query;
        return contextWindow(asked, visibleTo(request, asked.views), {
          session: request.params.session,
          points,
          ...rest,
        });
      },
    );
  };
}
