/** `GET /v1/agent`: what an agent shows beside its work, in one short request. */
import type { AgentOverview, Standing } from '@pi-ledger/contract/answers';
import { isDay } from '@pi-ledger/core/time/day';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';
import { within } from '../../timers/within.ts';
import type { BudgetsAsked } from '../budgets/query.ts';
import { visibleTo } from '../views/visible-to.ts';
import { agentSums } from './overview.ts';

const Query = Type.Object(
  {
    session: Type.String({ minLength: 1, maxLength: 200, description: 'Its whole id.' }),
    day: Type.String({ maxLength: 10, description: "The spender's today: `2026-11-22`." }),
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export interface AgentRoutesOptions extends BudgetsAsked {
  readStanding(): Promise<Standing>;
}

/** An agent waits for a second at most. */
const standingMsMax = 300;

export function routes({ readStanding, ...asked }: AgentRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query } & Reply<'GET /v1/agent'>>(
      '/v1/agent',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/agent', {
          summary: "A session, its subagents, its user's day and month, and their budgets",
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request) => {
        const { query } = request;
        if (!isDay(query.day))
          throw new LedgerError('bad_parameter', {
            field: 'day',
            message: 'day: a day like 2026-11-22 is expected.',
          });
        const visible = visibleTo(request, asked);
        const sums = await agentSums(asked, visible, query, requestCaller(request).user);
        return { ...sums, ...(await standingIn(readStanding)) };
      },
    );
  };
}

async function standingIn(
  readStanding: AgentRoutesOptions['readStanding'],
): Promise<Pick<AgentOverview, 'isBehind' | 'importing' | 'leftOut'>> {
  const standing = await within(standingMsMax, readStanding()).catch(() => 'failed' as const);
  return standing === 'failed' || standing === 'timeout'
    ? { isBehind: null, importing: null, leftOut: null }
    : {
        isBehind: standing.views.some(({ isBehind }) => isBehind),
        importing: standing.importing,
        leftOut: standing.leftOut,
      };
}
