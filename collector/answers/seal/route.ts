/**
 * `POST /v1/seal`: deletes the events before a day and keeps their sums. `GET /v1/seal`: how far
 * history is deleted.
 */

import { dayStartMs } from '@pi-ledger/core/time/day';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import type { LogTime } from '../../seal/log-time.ts';
import type { Sealer } from '../../seal/sealer.ts';

const Body = Type.Object(
  {
    before: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description:
        'A day in UTC, not after today or the newest event. Everything before it is deleted.',
    }),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Only count the events that would be deleted.' }),
    ),
  },
  { additionalProperties: false },
);

export interface SealRoutesOptions {
  readonly sealer: Sealer;
  readonly now: () => number;
  /** After the views have what was accepted before: none of it may lie before a new floor. */
  readLogTime(): Promise<LogTime>;
}

export function routes({ sealer, now, readLogTime }: SealRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/seal'>>(
      '/v1/seal',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/seal', {
          summary: 'How far history is deleted',
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
          summary: 'Delete old events and keep their sums',
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
  const dayMs = dayStartMs(day);
  if (dayMs === null) throw badDay(`${day} is not a day of the calendar`);
  if (dayMs > nowMs) throw badDay('must be today or earlier');
  return dayMs;
}

/**
 * A floor beyond the newest event would make the next events expire on arrival: a clock that runs
 * ahead must not cause that.
 */
function expectNoneToCome(floorMs: number, { newestMs }: LogTime): void {
  if (newestMs === null || floorMs <= newestMs) return;
  const day = new Date(newestMs).toISOString().slice(0, 10);
  throw badDay(`must be ${day}, the day of the newest event, or earlier`);
}

function badDay(message: string): LedgerError {
  return new LedgerError('bad_parameter', { field: 'before', message: `before: ${message}.` });
}
