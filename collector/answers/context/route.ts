/**
 * `GET /v1/context/{session}`: what filled a session's window, turn by turn; `.../series`: the same
 * with its parts and costs at every turn, to be drawn.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import type { Searched } from '../compactions/read-rows.ts';
import { visibleTo } from '../views/visible-to.ts';
import { contextWindow } from './query.ts';
import { contextSeries } from './series-query.ts';

const pointsDefault = 500;
const pointsMax = 5_000;

const pointsParameter = {
  points: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: pointsMax,
      default: pointsDefault,
      description: 'The most points to return; all compactions are kept even beyond this.',
    }),
  ),
};
const SeriesQuery = Type.Object(pointsParameter, { additionalProperties: false });
const Query = Type.Object(
  {
    ...pointsParameter,
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

const Params = Type.Object({
  session: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Its id, the start of its id, or `last`.',
  }),
});

export function routes(asked: Searched) {
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
          params: Params,
          querystring: Query,
        }),
      },
      (request) => {
        const { points = pointsDefault, ...rest } = request.query;
        return contextWindow(asked, visibleTo(request, asked), {
          session: request.params.session,
          points,
          ...rest,
        });
      },
    );

    app.get<
      {
        Params: { session: string };
        Querystring: Static<typeof SeriesQuery>;
      } & Reply<'GET /v1/context/{session}/series'>
    >(
      '/v1/context/:session/series',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/context/{session}/series', {
          summary: 'The parts of the context window at every turn, and what the turns cost',
          description:
            'Thinned to the lowest and highest point of each stretch; every compaction and ' +
            'branch summary stays, with the points beside it. Costs cover what was left out.',
          tags: ['views'],
          params: Params,
          querystring: SeriesQuery,
        }),
      },
      (request) =>
        contextSeries(asked, visibleTo(request, asked), {
          session: request.params.session,
          points: request.query.points ?? pointsDefault,
        }),
    );
  };
}
