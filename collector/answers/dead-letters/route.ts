/**
 * `GET /v1/dead-letters`, `POST /v1/dead-letters/retry` and `.../remove`: rejected events, a second
 * try after an update, and their end.
 */
import { type DeadLetter, deadLetterColumns } from '@pi-ledger/contract/answers';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import { badCursor, decodeCursor, encodeCursor, pageChars } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import { formatParameter, limitDefault, limitMax, pageParameters } from '../../http/parameters.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { type ReadLetters, readLetters } from '../../ingest/readable-letters.ts';
import type { DeadLetter as KeptLetter } from '../../log/log.ts';

const Query = Type.Object(
  { ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Ids = Type.Array(Id, { minItems: 1, maxItems: limitMax });
const Retry = Type.Object(
  { ids: Type.Optional({ ...Ids, description: 'Default: all.' }) },
  { additionalProperties: false },
);
const Remove = Type.Object(
  { ids: Type.Union([Ids, Type.Literal('all')]) },
  { additionalProperties: false },
);

export function routes({ ingest }: { readonly ingest: Ingest }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/dead-letters',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/dead-letters', {
          summary: 'Rejected events, oldest first',
          tags: ['events'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const [after = 0] = decodeCursor(cursor, 1) ?? [];
        if (typeof after !== 'number') throw badCursor();
        const { letters, unread } = await readLetters(ingest, after, limit, pageChars);
        const last = letters.at(-1);
        const isEnd = last === undefined || isNothing(await readLetters(ingest, last.id, 1));
        const [rows, next] = [letters.map(toRow), isEnd ? null : encodeCursor([last.id])];
        return sendList('GET /v1/dead-letters', request, reply, {
          columns: deadLetterColumns,
          answer: { rows, unread: unread === null ? [] : [unread], next },
        });
      },
    );

    app.post<{ Body: Static<typeof Retry> } & Reply<'POST /v1/dead-letters/retry'>>(
      '/v1/dead-letters/retry',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/dead-letters/retry', {
          summary: 'Try rejected events again',
          tags: ['events'],
          body: Retry,
        }),
      },
      ({ body, log }) => written(log, () => ingest.retryDeadLetters(body.ids ?? 'all')),
    );

    app.post<{ Body: Static<typeof Remove> } & Reply<'POST /v1/dead-letters/remove'>>(
      '/v1/dead-letters/remove',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/dead-letters/remove', {
          summary: 'Delete rejected events for good',
          tags: ['events'],
          body: Remove,
        }),
      },
      ({ body, log }) => written(log, () => ingest.removeDeadLetters(body.ids)),
    );
  };
}

/** Neither a dead letter nor one that cannot be read. */
function isNothing({ letters, unread }: ReadLetters): boolean {
  return letters.length === 0 && unread === null;
}

async function written<Result>(log: FastifyBaseLogger, write: () => Promise<Result>) {
  try {
    return await write();
  } catch (error) {
    if (error instanceof LedgerError) throw error; // on standby, for example
    log.error({ err: error }, 'the store refused a write');
    throw new LedgerError('store_unavailable', { cause: error });
  }
}

function toRow({ id, receivedAtMs, code, field, message, body }: KeptLetter): DeadLetter {
  return { id, receivedAt: new Date(receivedAtMs).toISOString(), code, field, message, body };
}
