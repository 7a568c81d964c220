/** `GET /v1/requests`: the newest requests to models, of all sessions. */
import { requestColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import { sendList } from '../../http/formats.ts';
import {
  filterParameters,
  formatParameter,
  periodParameters,
  timezoneParameter,
} from '../../http/parameters.ts';
import type { Searched } from '../compactions/read-rows.ts';
import { visibleTo } from '../views/visible-to.ts';
import { newestRequests } from './query.ts';

const limitDefault = 50;
const { kind: _, ...filters } = filterParameters;

const Query = Type.Object(
  {
    only: Type.Optional(
      Type.Enum(['failed'], { description: 'Only what failed, was aborted or reported nothing.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: limitDefault })),
    ...filters,
    ...periodParameters,
    ...timezoneParameter,
    ...formatParameter,
  },
  { additionalProperties: false },
);

export function routes(asked: Searched) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/requests',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/requests', {
          summary: 'The newest requests to models, of all sessions',
          description:
            'Answers, failed attempts and summaries. A token with limits sees requests of ' +
            'sessions that were always within its limits.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, ...question } = request.query;
        const visible = visibleTo(request, asked);
        const answer = await newestRequests(asked, visible, { ...question, limit });
        return sendList('GET /v1/requests', request, reply, { columns: requestColumns, answer });
      },
    );
  };
}
