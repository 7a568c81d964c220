/** `GET /v1/standing`: whether the views include every acknowledged event. */
import type { Standing } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';

export interface StandingRoutesOptions {
  readStanding(): Promise<Standing>;
  /** How commands begin here; null: who asks may be elsewhere. */
  readonly readCommand: (() => string) | null;
}

export function routes({ readStanding, readCommand }: StandingRoutesOptions) {
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
        const read = await readStanding();
        const standing = readCommand === null ? read : { ...read, command: readCommand() };
        const { reading, usersMin } = requestCaller(request);
        if (reading.is === 'none' && usersMin === 0) return standing;
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
