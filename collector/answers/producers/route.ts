/** `GET /v1/producers`: who sends events, and which of them are missing. */
import { type Producer as ProducerRow, producerColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import { cutPage, decodeCursor, encodeCursor, fitPage } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import {
  filterParameters,
  formatParameter,
  limitDefault,
  pageParameters,
} from '../../http/parameters.ts';
import type { Log, Receipt } from '../../log/log.ts';
import { producers, type SeenProducer } from '../../projections/producers.ts';
import type { ViewDocument, ViewsReader } from '../../views/views.ts';
import { filterConditions } from '../filters/conditions.ts';

const { user, machine, host } = filterParameters;
const Query = Type.Object(
  { user, machine, host, ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);

const gapsMax = 100;

interface ProducersAsked {
  readonly views: ViewsReader;
  readonly log: Pick<Log, 'receipts'>;
}

export function routes({ views, log }: ProducersAsked) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/producers',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/producers', {
          summary: 'Producers, last seen first',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const after = decodeCursor(cursor, 2);
        const found = await views.find(producers, {
          where: filterConditions(request.query, {
            user: 'user',
            machine: 'machine',
            host: 'host',
          }),
          orderBy: { column: 'lastSeenAt', descending: true },
          limit: limit + 1,
          ...(after === null ? {} : { after: { value: String(after[0]), key: String(after[1]) } }),
        });
        const page = cutPage(found, limit, cursorOf);
        const receipts = new Map(
          (await log.receipts(page.rows.map(({ key }) => key))).map((receipt) => [
            receipt.source,
            receipt.ranges,
          ]),
        );
        const all = page.rows.map(({ key, body }) =>
          toRow(producers.decode(body), receipts.get(key) ?? []),
        );
        const { rows, next } = await fitPage(
          { rows: all, places: page.rows, next: page.next },
          cursorOf,
        );
        return sendList('GET /v1/producers', request, reply, {
          columns: producerColumns,
          answer: { rows, next },
        });
      },
    );
  };
}

function cursorOf(last: ViewDocument): string {
  return encodeCursor([String(last.columns.lastSeenAt), last.key]);
}

function toRow(producer: SeenProducer, ranges: Receipt['ranges']): ProducerRow {
  const gaps = gapsBetween(ranges);
  return {
    source: producer.source,
    user: known(producer.user),
    machine: known(producer.machine),
    host: known(producer.host),
    hostVersion: known(producer.hostVersion),
    producerVersion: known(producer.producerVersion),
    firstSeenAt: producer.firstSeenAt,
    lastSeenAt: producer.lastSeenAt,
    lastReceivedAt: new Date(producer.lastReceivedAtMs).toISOString(),
    lagMs: Math.max(0, producer.lastReceivedAtMs - Date.parse(producer.lastSeenAt)),
    events: producer.events,
    missing: gaps.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    gaps: gaps.slice(0, gapsMax),
    dropped: producer.dropped,
  };
}

/** Sequences start at 1. */
function gapsBetween(ranges: Receipt['ranges']): (readonly [first: number, last: number])[] {
  let expected = 1;
  const gaps: (readonly [number, number])[] = [];
  for (const [first, last] of ranges) {
    if (first > expected) gaps.push([expected, first - 1]);
    expected = last + 1;
  }
  return gaps;
}

function known(value: string): string | null {
  return value === '' ? null : value;
}
