/**
 * `POST /v1/seal`: deletes events before a day; what the views made of them stays. `GET /v1/seal`:
 * up to when that was done.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import type { LogTime } from '../../seal/log-time.ts';
import type { Sealer } from '../../seal/sealer.ts';
import { answering, type Reply } from '../answering.ts';

const Body = Type.Object(
  {
    before: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description:
        'A day, UTC; that of the newest event at the latest, and today. What happened before it goes.',
    }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says how many events would go.' })),
  },
  { additionalProperties: false },
);

export interface SealRoutesOptions {
  readonly sealer: Sealer;
  readonly now: () => number;
  readLogTime(): Promise<LogTime>;
}

export function sealRoutes({ sealer, now, readLogTime }: SealRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/seal'>>(
      '/v1/seal',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/seal', {
          summary: 'Up to when history was deleted',
          tags: ['log'],
        }),
      },
      async () => {
        const seal = await sealer.inForce();
        return { floor: seal === null ? null : new Date(seal.floorMs).toISOString() };
      },
    );
    app.post<{ Body: Static<typeof Body> } & Reply<'POST /v1/seal'>>(
      '/v1/seal',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/seal', {
          summary: 'Delete old events, and keep what they came to',
          tags: ['log'],
          body: Body,
        }),
      },
      async ({ body }) => {
        const day = readDay(body.before, now());
        expectNoneToCome(day, await readLogTime());
        const { floorMs, events, documents } = await sealer.seal({
          floorMs: day,
          dryRun: body.dryRun ?? false,
        });
        return { floor: new Date(floorMs).toISOString(), events, documents };
      },
    );
  };
}

function readDay(day: string, nowMs: number): number {
  const dayMs = Date.parse(`${day}T00:00:00.000Z`);
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
  if (!isDay)
    throw new LedgerError('bad_parameter', {
      field: 'before',
      message: `before: there is no day ${day}.`,
    });
  if (dayMs > nowMs)
    throw new LedgerError('bad_parameter', {
      field: 'before',
      message: 'before: at the latest today.',
    });
  return dayMs;
}

/**
 * With a floor beyond the newest event, what comes in next would be refused as expired: a clock
 * that runs ahead must not do that.
 */
function expectNoneToCome(floorMs: number, { newestMs }: LogTime): void {
  if (newestMs === null || floorMs <= newestMs) return;
  const day = new Date(newestMs).toISOString().slice(0, 10);
  throw new LedgerError('bad_parameter', {
    field: 'before',
    message: `before: at the latest ${day}, the day of the newest event.`,
  });
}
