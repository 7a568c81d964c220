/** `GET /health/live` (the process answers) and `/health/ready` (the store can be read, and the views follow the log). */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

const Ready = Type.Object({
  ready: Type.Boolean(),
  version: Type.String(),
  storeId: Type.String({ description: 'Of the store behind this collector: another one is another ledger.' }),
  problems: Type.Array(Type.String(), { description: 'Why it is not ready.' }),
  views: Type.Array(Type.Object({ projection: Type.String(), position: Type.Integer(), head: Type.Integer() })),
});

export interface Health {
  readonly ready: boolean;
  readonly version: string;
  readonly storeId: string;
  readonly problems: readonly string[];
  /** How far each view has folded. */
  readonly views: readonly { readonly projection: string; readonly position: number; readonly head: number }[];
}

/** Contract: `readHealth` never rejects: a store that cannot be read is a problem that it names. */
export function healthRoutes(readHealth: () => Promise<Health>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/health/live', { schema: { summary: 'The process answers', tags: ['health'] } }, async () => ({ live: true }));

    app.get(
      '/health/ready',
      { schema: { summary: 'It can do its work', tags: ['health'], response: { 200: Ready, 503: Ready } } },
      async (_request, reply) => {
        const health = await readHealth();
        return reply.status(health.ready ? 200 : 503).send(health);
      },
    );
  };
}
