/** `POST /v1/events`: the one way in over HTTP. */
import type { IncomingMessage } from 'node:http';
import { Ack, batchContentType, eventContentType } from '@pi-ledger/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LedgerError } from '../errors.ts';
import type { Ingest } from '../ingest.ts';
import { type EventBody, readBatch, readSingle } from './event-body.ts';

const description = `CloudEvents 1.0 in JSON: an array of events (\`${batchContentType}\`) or one (\`${eventContentType}\`); gzip is welcome.
A body that parses is always answered 200: all that is not listed in \`rejected\` is durable then. 400, 413 and 415 speak of the whole body,
503 says that nothing was taken and that the same body can be sent again.`;

/** In a scope of its own: other content types are refused here and nowhere else. */
export function eventRoutes(ingest: Ingest) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(batchContentType, (request: FastifyRequest, stream: IncomingMessage) => readBatch(stream, request.headers));
    app.addContentTypeParser(eventContentType, (request: FastifyRequest, stream: IncomingMessage) => readSingle(stream, request.headers));

    app.post<{ Body: EventBody | undefined }>(
      '/v1/events',
      { schema: { summary: 'Append events', description, tags: ['events'], response: { 200: Ack } } },
      async ({ body, log }) => {
        if (body === undefined) throw new LedgerError('unsupported_content_type');
        try {
          return await ingest.accept(body.values, body.texts);
        } catch (error) {
          log.error({ err: error }, 'the store refused an append');
          throw new LedgerError('store_unavailable', { cause: error });
        }
      },
    );
  };
}
