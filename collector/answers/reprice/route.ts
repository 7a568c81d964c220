/**
 * `POST /v1/reprice`: what the same tokens would have cost under the price list in the body.
 * Changes nothing.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import { limitMax } from '../../http/parameters.ts';
import type { ComputedOptions } from '../spend/computed.ts';
import { expectGroupings } from '../spend/grouping.ts';
import { usageParameters } from '../usage/route-parameters.ts';
import { visibleTo } from '../views/visible-to.ts';
import type { RepriceOptions } from './reprice.ts';

const rowsMax = 10_000;

const Query = Type.Object(
  {
    ...usageParameters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: rowsMax, default: limitMax })),
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

const Body = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "A price list in the format of models.dev's api.json: providers by id, their `models` by id, " +
    '`cost` in USD per million tokens.',
});

const catalogueBytesMax = 4 * 1024 * 1024;

/** The query is loaded on first use: it takes a tenth of a report's start. */
export function routes(options: RepriceOptions & ComputedOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Querystring: Query; Body: unknown } & Reply<'POST /v1/reprice'>>(
      '/v1/reprice',
      {
        config: { scope: 'read' },
        bodyLimit: catalogueBytesMax,
        schema: answering('POST /v1/reprice', {
          summary: 'What usage would have cost under another price list',
          tags: ['views'],
          querystring: Query,
          body: Body,
        }),
      },
      async (request) => {
        const { repricedUsage } = await import('./query.ts');
        const { by = 'project', limit = limitMax, ...filters } = request.query;
        return repricedUsage(options, visibleTo(request, options), {
          by: expectGroupings(by),
          limit,
          catalogue: request.body,
          ...filters,
        });
      },
    );
  };
}
