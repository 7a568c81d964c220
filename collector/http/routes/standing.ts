/** `GET /v1/standing`: whether the views include every acknowledged event. */
import type { Standing } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access.ts';
import { answering, type Reply } from '../answering.ts';

export function standingRoutes(readStanding: () => Promise<Standing>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/standing'>>(
      '/v1/standing',
      {
        config: { scope: 'read', hidesSmallGroups: true },
        schema: answering('GET /v1/standing', {
          summary: 'Whether the views are complete',
          tags: ['views'],
        }),
      },
      async (request) => {
        const standing = await readStanding();
        if (callerOf(request).reading.is === 'none') return standing;
        const views = standing.views.map((view) => ({
          ...view,
          setAside: Math.min(1, view.setAside),
        }));
        return {
          trouble: standing.trouble === null ? null : 'The store is in trouble.',
          problem: null,
          views,
          importing: standing.importing,
          leftOut: standing.leftOut,
        };
      },
    );
  };
}
