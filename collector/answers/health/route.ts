/**
 * `GET /health/live` (the process answers) and `/health/ready` (the store can be read and the views
 * follow the log), and `GET /v1/health`, the same to be shown.
 */
import type { Health } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Caller, mayUse } from '../../auth/access.ts';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';

/** Everything, for callers who may read everything. */
export interface FullHealth extends Required<Health> {
  /** Warnings that name budgets: of notices that did not arrive. */
  readonly notices?: readonly string[];
}

/** Contract: `readHealth` never rejects; a store that cannot be read is one of its problems. */
export function routes({ readHealth }: { readonly readHealth: () => Promise<FullHealth> }) {
  const readForAnyone = atMostEvery(sharedMs, readHealth);
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /health/live'>>(
      '/health/live',
      {
        config: { scope: 'public' },
        schema: answering('GET /health/live', { summary: 'The process answers', tags: ['health'] }),
      },
      async () => ({ live: true }),
    );

    app.get<Reply<'GET /health/ready'>>(
      '/health/ready',
      {
        config: { scope: 'public' },
        schema: answering(
          'GET /health/ready',
          {
            summary: 'The collector can do its work',
            description:
              'If tokens are required, a request without one gets only `ready` and `role`. ' +
              '`problems`, `warnings`, `views` and `subscribers` show how much data there is: ' +
              'only callers who may read everything get them.',
            tags: ['health'],
          },
          503,
        ),
      },
      async (request, reply) => {
        const health = await (request.caller === null ? readForAnyone() : readHealth());
        return reply.status(health.ready ? 200 : 503).send(shownTo(request.caller, health));
      },
    );

    app.get<Reply<'GET /v1/health'>>(
      '/v1/health',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/health', {
          summary: 'How the collector fares, to be shown',
          description:
            'As `/health/ready`, but with status 200 also while it is not ready, so that it can ' +
            'be one of several answers.',
          tags: ['health'],
        }),
      },
      async (request) => shownTo(requestCaller(request), await readHealth()),
    );
  };
}

/**
 * Callers without a token have no rate limit and must not keep the store busy: they share one
 * answer for this long.
 */
const sharedMs = 1_000;

function atMostEvery(ms: number, read: () => Promise<FullHealth>): () => Promise<FullHealth> {
  let answer: Promise<FullHealth> | null = null;
  let readAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (answer === null || nowMs - readAtMs >= ms) {
      answer = read();
      readAtMs = nowMs;
    }
    return answer;
  };
}

/** These show how much data there is. */
const nothingOfAll = { problems: [], warnings: [], views: [], subscribers: [] };

function shownTo(caller: Caller | null, { notices = [], ...health }: FullHealth): Health {
  const { ready, role, warnings } = health;
  if (caller === null) return { ready, role };
  const mayReadAll = mayUse(caller, 'read') && caller.reading.is === 'none';
  // With a floor for small groups, nobody is shown how work goes on.
  return mayReadAll && caller.usersMin === 0
    ? { ...health, warnings: [...warnings, ...notices] }
    : { ...health, ...nothingOfAll, store: { ...health.store, bytes: null } };
}
