/** `GET /v1/answers`: several answers of this API in one request. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../answering.ts';
import { askRoute } from './ask.ts';

const asksMax = 12;
const askCharsMax = 2_000;

const Query = Type.Object(
  {
    ask: Type.Array(Type.String({ minLength: 1, maxLength: askCharsMax }), {
      minItems: 1,
      maxItems: asksMax,
      description:
        'Path and query of a GET under `/v1`, percent-encoded (`%2Fv1%2Fusage%3Fby%3Dmodel`); ' +
        'not this route, `/v1/log` or `/v1/live`, and JSON only.',
    }),
  },
  { additionalProperties: false },
);

export async function severalAnswersRoutes(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: Static<typeof Query> }>(
    '/v1/answers',
    {
      // Each ask is checked as if it came alone.
      config: { scope: 'read', hidesSmallGroups: true },
      schema: answering('GET /v1/answers', {
        summary: 'Several answers in one request',
        description:
          'Each with its own status, in the order of the asks, with the rights of this request. ' +
          'The rate limit counts every ask, and the request itself.',
        tags: ['views'],
        querystring: Query,
      }),
    },
    async (request, reply) => {
      const { ask: asks } = request.query;
      const answers = await Promise.all(
        asks.map(async (ask) => {
          const { status, body } = await askRoute(app, request, ask);
          // As it is: it may be long.
          return `{"ask":${JSON.stringify(ask)},"status":${status},"body":${body}}`;
        }),
      );
      return reply.type('application/json').send(`{"answers":[${answers.join(',')}]}`);
    },
  );
}
