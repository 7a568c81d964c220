/** `GET /v1/log`: the events as they stand in the log, in order. What `pi-ledger reconcile` compares session files with, and `export` writes. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { StoredText } from '../log/stored-event.ts';

const eventsMax = 1_000;
const eventsDefault = 100;

const Query = Type.Object(
  {
    partition: Type.Optional(Type.Integer({ minimum: 0, description: 'One of `partitions`; the first one by default.' })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events with a higher position. Positions begin with 1.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: eventsMax, default: eventsDefault })),
    format: Type.Optional(
      Type.Enum(['json', 'ndjson'], {
        default: 'json',
        description: 'ndjson: a row per line, its event character for character as it came; no line at all after the last event.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Answer = Type.Object({
  partitions: Type.Array(Type.Integer(), { description: 'Each has positions of its own.' }),
  rows: Type.Array(
    Type.Object({
      position: Type.Integer(),
      receivedAt: Type.String({ description: 'By the clock of the collector.' }),
      event: Type.Unknown({ description: 'CloudEvents JSON.' }),
    }),
  ),
  next: Type.Union([Type.Integer(), Type.Null()], { description: '`after` of the next page; null on the last one.' }),
});

export function logRoutes(log: Log) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/log',
      {
        config: { scope: 'admin' },
        schema: { summary: 'The events, in order', tags: ['log'], querystring: Query, response: { 200: Answer } },
      },
      async ({ query }, reply) => {
        const { partition = log.partitions[0] ?? 0, after = 0, limit = eventsDefault, format = 'json' } = query;
        if (!log.partitions.includes(partition)) {
          const message = `partition: there is none of this number; there are ${log.partitions.join(', ')}.`;
          throw new LedgerError('bad_parameter', { field: 'partition', message });
        }
        if (format === 'ndjson') {
          const lines = (await log.readTexts(partition, after, limit)).map(lineOf);
          return reply.type('application/x-ndjson').send(lines.join(''));
        }
        const found = await log.read(partition, after, limit + 1);
        const rows = found.slice(0, limit);
        return {
          partitions: log.partitions,
          rows: rows.map(({ position, receivedAtMs, event }) => ({ position, receivedAt: new Date(receivedAtMs).toISOString(), event })),
          next: found.length > limit ? (rows.at(-1)?.position ?? null) : null,
        };
      },
    );
  };
}

function lineOf({ position, receivedAtMs, text }: StoredText): string {
  // Between the tokens of a JSON text a newline is a space; within a string there can be none.
  const event = text.replace(/[\r\n]/g, ' ');
  return `{"position":${position},"receivedAt":"${new Date(receivedAtMs).toISOString()}","event":${event}}\n`;
}
