/** `GET /health/live` (the process answers) and `/health/ready` (the store can be read, and the views follow the log). */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Caller, mayUse } from '../auth/access.ts';
import type { SetAsideList } from '../views/views.ts';

const Ready = Type.Object({
  ready: Type.Boolean(),
  role: Type.Union([Type.Literal('active'), Type.Literal('standby')], {
    description:
      'Standby: another collector writes to the store; this one takes over when that is gone, and answers 503 to writes until then.',
  }),
  version: Type.String(),
  storeId: Type.String({ description: 'Of the store behind this collector: another one is another ledger.' }),
  problems: Type.Array(Type.String(), { description: 'Why it is not ready.' }),
  warnings: Type.Array(Type.String(), { description: 'What is wrong with it all the same.' }),
  views: Type.Array(
    Type.Object({
      projection: Type.String(),
      position: Type.Integer(),
      head: Type.Integer(),
      setAside: Type.Object(
        {
          count: Type.Integer(),
          events: Type.Array(Type.Object({ position: Type.Integer(), eventId: Type.String(), reason: Type.String() }), {
            description: 'The oldest of them.',
          }),
        },
        { description: 'Events of the log that could not be folded into this view.' },
      ),
    }),
  ),
});

export interface Health {
  readonly ready: boolean;
  readonly role: 'active' | 'standby';
  readonly version: string;
  readonly storeId: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** How far each view has folded, and without which events. */
  readonly views: readonly {
    readonly projection: string;
    readonly position: number;
    readonly head: number;
    readonly setAside: SetAsideList;
  }[];
}

/** Contract: `readHealth` never rejects: a store that cannot be read is a problem that it names. */
export function healthRoutes(readHealth: () => Promise<Health>) {
  const readForAnyone = atMostEvery(sharedMs, readHealth);
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/health/live', { config: { scope: 'public' }, schema: { summary: 'The process answers', tags: ['health'] } }, async () => ({
      live: true,
    }));

    app.get(
      '/health/ready',
      {
        config: { scope: 'public' },
        schema: {
          summary: 'It can do its work',
          description:
            'Where tokens are asked for, a request without one learns no more than `ready` and `role`. `problems`, `warnings` and `views`, which say how much there is in all, are for those who may read all.',
          tags: ['health'],
          response: { 200: Ready, 503: Ready },
        },
      },
      async (request, reply) => {
        const health = await (request.caller === null ? readForAnyone() : readHealth());
        return reply.status(health.ready ? 200 : 503).send(shownTo(request.caller, health));
      },
    );
  };
}

/** Who has no token cannot be told to come less often, and must not keep the store busy: they share an answer for so long. */
const sharedMs = 1_000;

function atMostEvery(ms: number, read: () => Promise<Health>): () => Promise<Health> {
  let answer: Promise<Health> | null = null;
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

function shownTo(caller: Caller | null, health: Health): Pick<Health, 'ready' | 'role'> & Partial<Health> {
  const { ready, role } = health;
  if (caller === null) return { ready, role };
  return mayUse(caller, 'read') && caller.reading.is === 'none' ? health : { ...health, problems: [], warnings: [], views: [] };
}
