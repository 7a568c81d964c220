/**
 * `POST /v1/events`: the one way in over HTTP; and `POST /v1/log`, for events that come back from
 * an export.
 */
import type { IncomingMessage } from 'node:http';
import { type Ack, batchContentType, eventContentType } from '@pi-ledger/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LedgerError } from '../../errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Sender } from '../../ingest/sender.ts';
import { callerOf } from '../access.ts';
import { answering } from '../answering.ts';
import { createBytesInHand, type Hold } from '../bytes-in-hand.ts';
import { type EventBody, readBatch, readSingle } from '../event-body.ts';

const description = `CloudEvents 1.0 in JSON: an array of events (\`${batchContentType}\`) or one (\`${eventContentType}\`); gzip is welcome.
A body that parses is always answered 200: all that is not listed in \`rejected\` is durable then. 400, 413 and 415 speak of the whole body,
503 says that nothing was taken and that the same body can be sent again.`;

const exportDescription = `As \`POST /v1/events\`, of events that a ledger has had: whom their senders were authenticated as (\`authenticateduser\`) is
taken as it stands in them.`;

/** As many as a store takes in within seconds: beyond it, senders come again later. */
const bytesInHandMax = 64 * 1024 * 1024;

/** In a scope of its own: other content types are refused here and nowhere else. */
export function eventRoutes(ingest: Ingest) {
  return async (app: FastifyInstance): Promise<void> => {
    const bytesInHand = createBytesInHand(bytesInHandMax);
    const parser = (read: typeof readBatch) => (request: FastifyRequest, stream: IncomingMessage) =>
      held(bytesInHand.open(), (hold) => read(stream, request.headers, hold));
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(batchContentType, parser(readBatch));
    app.addContentTypeParser(eventContentType, parser(readSingle));

    const accept = async ({ body, log }: FastifyRequest<Batch>, sender: Sender): Promise<Ack> => {
      if (body === undefined) throw new LedgerError('unsupported_content_type');
      try {
        return await ingest.accept(body.values, body.texts, sender);
      } catch (error) {
        if (error instanceof LedgerError) throw error; // standing by
        log.error({ err: error }, 'the store refused an append');
        throw new LedgerError('store_unavailable', { cause: error });
      } finally {
        body.hold.release();
      }
    };

    app.post<Batch>(
      '/v1/events',
      {
        config: { scope: 'ingest' },
        schema: answering('POST /v1/events', {
          summary: 'Append events',
          description,
          tags: ['events'],
        }),
      },
      (request) => accept(request, { is: 'producer', user: callerOf(request).user }),
    );

    app.post<Batch>(
      '/v1/log',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/log', {
          summary: 'Append events of an export',
          description: exportDescription,
          tags: ['log'],
        }),
      },
      (request) => accept(request, { is: 'record' }),
    );
  };
}

interface Batch {
  readonly Body: HeldBody | undefined;
  readonly Reply: Ack;
}

/** To be released by whoever answers. */
interface HeldBody extends EventBody {
  readonly hold: Hold;
}

async function held(hold: Hold, read: (hold: Hold) => Promise<EventBody>): Promise<HeldBody> {
  try {
    return { ...(await read(hold)), hold };
  } catch (error) {
    hold.release();
    throw error;
  }
}
