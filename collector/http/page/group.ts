/** The routes of the built-in page. */
import type { ErrorAnswer } from '@pi-ledger/contract/answers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering } from '../answering.ts';
import { hasLeft } from '../leaving.ts';
import type { RouteGroup } from '../route-group.ts';
import { askRoute } from './ask.ts';
import { createPageFiles } from './files.ts';
import { createFirstAnswers, type FirstAnswersOptions } from './first-answers.ts';
import { type LiveRouteOptions, liveRoute } from './live/route.ts';
import { pageRoutes } from './routes.ts';

interface PageGroupOptions extends FirstAnswersOptions {
  readonly live: LiveRouteOptions;
}

export function pageGroup({ live, ...options }: PageGroupOptions): RouteGroup {
  return async (app, { access, nowhere }) => {
    await app.register(severalAnswersRoutes);
    await app.register(liveRoute(access, live));
    // Who asks for the document has no token with them: a browser opens it.
    const first = access.mode === 'open' ? createFirstAnswers(app, options) : null;
    const files = createPageFiles(options.directory);
    await app.register(pageRoutes({ files, first, nowhere }));
  };
}

// `GET /v1/answers`: several answers of this API in one request.

const asksMax = 12;
const askCharsMax = 2_000;
/** All answers together have at most so many; what comes beyond is to be asked alone. */
const charsMax = 8 * 1024 * 1024;

const Query = Type.Object(
  {
    ask: Type.Array(Type.String({ minLength: 1, maxLength: askCharsMax }), {
      minItems: 1,
      maxItems: asksMax,
      description:
        'Path and query of a GET under `/v1`, percent-encoded (`%2Fv1%2Fusage%3Fby%3Dmodel`); ' +
        'not this route, `/v1/log`, `/v1/live` or `/v1/totals`, and JSON only.',
    }),
  },
  { additionalProperties: false },
);

type SeveralAsked = FastifyRequest<{ Querystring: Static<typeof Query> }>;

const { code, message, status } = new LedgerError('answers_too_long');
const tooMuch = { status, body: JSON.stringify({ code, message } satisfies ErrorAnswer) };

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
      const answers = await askEach(app, request);
      return reply.type('application/json').send(`{"answers":[${answers.join(',')}]}`);
    },
  );
}

/**
 * One after the other, so that others get their turn between; one that is asked twice is answered
 * once. Whoever left is answered no more.
 */
async function askEach(app: FastifyInstance, request: SeveralAsked): Promise<readonly string[]> {
  const bodies = new Map<string, string>();
  let chars = 0;
  for (const ask of new Set(request.query.ask)) {
    if (await hasLeft(request.raw.socket)) break;
    const { status, body } = chars > charsMax ? tooMuch : await askRoute(app, request, ask);
    chars += body.length;
    // As it is: it may be long.
    bodies.set(ask, `{"ask":${JSON.stringify(ask)},"status":${status},"body":${body}}`);
  }
  return request.query.ask.flatMap((ask) => bodies.get(ask) ?? []);
}
