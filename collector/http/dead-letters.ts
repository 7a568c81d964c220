/** `GET /v1/dead-letters` and `POST /v1/dead-letters/retry`: what was refused, and its second chance after an update. */
import type { RejectionCode } from '@pi-ledger/contract';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../errors.ts';
import type { Ingest } from '../ingest.ts';
import type { DeadLetter } from '../log/log.ts';
import { sendList } from './formats.ts';
import { badCursor, decodeCursor, encodeCursor, pageChars } from './page.ts';
import { formatParameter, limitDefault, limitMax, Next, pageParameters } from './parameters.ts';

const Query = Type.Object({ ...pageParameters, ...formatParameter }, { additionalProperties: false });
const Retry = Type.Object(
  { ids: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: limitMax, description: 'All without it.' })) },
  { additionalProperties: false },
);

const rowProperties = {
  id: Type.Integer(),
  receivedAt: Type.String(),
  code: Type.String({ description: 'As in the ack.' }),
  field: Type.String(),
  message: Type.String(),
  body: Type.String({ description: 'The event as it came, cut when it was too large.' }),
};

const RetryAnswer = Type.Object({
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Integer({ description: 'Refused again: they stay.' }),
  unknown: Type.Integer({ description: 'Ids without a dead letter.' }),
});

export function deadLetterRoutes(ingest: Ingest) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/dead-letters',
      {
        config: { scope: 'admin' },
        schema: {
          summary: 'Events that were refused, oldest first',
          tags: ['events'],
          querystring: Query,
          response: { 200: Type.Object({ rows: Type.Array(Type.Object(rowProperties)), next: Next }) },
        },
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const [after = 0] = decodeCursor(cursor, 1) ?? [];
        if (typeof after !== 'number') throw badCursor();
        const letters = await ingest.deadLetters(after, limit, pageChars);
        const last = letters.at(-1);
        const isEnd = last === undefined || (await ingest.deadLetters(last.id, 1)).length === 0;
        const [rows, next] = [letters.map(toRow), isEnd ? null : encodeCursor([last.id])];
        return sendList(request, reply, { columns: Object.keys(rowProperties), rows, next, json: { rows, next } });
      },
    );

    app.post<{ Body: Static<typeof Retry> }>(
      '/v1/dead-letters/retry',
      {
        config: { scope: 'admin' },
        schema: { summary: 'Validate refused events again', tags: ['events'], body: Retry, response: { 200: RetryAnswer } },
      },
      async ({ body, log }) => {
        try {
          return await ingest.retryDeadLetters(body.ids ?? 'all');
        } catch (error) {
          if (error instanceof LedgerError) throw error; // standing by
          log.error({ err: error }, 'the store refused an append');
          throw new LedgerError('store_unavailable', { cause: error });
        }
      },
    );
  };
}

function toRow({ id, receivedAtMs, code, field, message, body }: DeadLetter) {
  return { id, receivedAt: new Date(receivedAtMs).toISOString(), code: code satisfies RejectionCode, field, message, body };
}
