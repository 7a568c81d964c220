/** `POST /v1/events`, the only way in over HTTP, and `POST /v1/log` for events of an export. */
import type { IncomingMessage } from 'node:http';
import { type Ack, batchContentType, Envelope, eventContentType } from '@pi-ledger/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mayUse } from '../../auth/access.ts';
import { LedgerError } from '../../errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Sender } from '../../ingest/sender.ts';
import { requestCaller } from '../access.ts';
import { answering } from '../answering.ts';
import { type EventBody, readBatch, readSingle } from './body.ts';
import { createBytesInHand, type Hold } from './bytes-in-hand.ts';

const description = [
  `CloudEvents 1.0 in JSON: an array of events (\`${batchContentType}\`)`,
  `or one event (\`${eventContentType}\`), optionally with gzip.`,
  'A body that can be parsed is always answered with 200: every event that is not in `rejected`',
  'is then durable. 400, 413 and 415 are about the body as a whole. 503 means that nothing was',
  'accepted, and the same body can be sent again.',
].join(' ');

const exportDescription =
  'Like `POST /v1/events`, for events that a ledger exported: keeps their `authenticateduser`, ' +
  'the user that their sender was authenticated as. Without a token, also where none is needed, ' +
  'an event with an `authenticatedtoken` is rejected, and so is what a ledger says of itself: ' +
  'withdrawals, seals, budgets and their crossings.';

const Event = Type.Object(Envelope.properties, {
  title: 'Event',
  description: 'CloudEvents 1.0 in JSON; `data` is that of its `type`.',
});
const bodies = { [batchContentType]: Type.Array(Event), [eventContentType]: Event };

/** As much as a store takes in within seconds; beyond it, senders must retry later. */
const bytesInHandMax = 64 * 1024 * 1024;

/** In a Fastify scope of its own: only here other content types are refused. */
export function routes({ ingest }: { readonly ingest: Pick<Ingest, 'accept'> }) {
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
        if (error instanceof LedgerError) throw error; // on standby, for example
        log.error({ err: error }, 'the store refused an append');
        throw new LedgerError('store_unavailable', { cause: error });
      } finally {
        body.hold.release();
      }
    };

    app.post<Batch>(
      '/v1/events',
      {
        config: { scope: 'ingest', bodies },
        schema: answering('POST /v1/events', {
          summary: 'Append events',
          description,
          tags: ['events'],
        }),
      },
      (request) => {
        const { user, tokenId } = requestCaller(request);
        return accept(request, { is: 'producer', user, token: tokenId });
      },
    );

    app.post<Batch>(
      '/v1/log',
      {
        config: { scope: 'admin', bodies },
        schema: answering('POST /v1/log', {
          summary: 'Append events from an export',
          description: exportDescription,
          tags: ['log'],
        }),
      },
      (request) =>
        accept(request, { is: mayUse(requestCaller(request), 'tokens') ? 'record' : 'copy' }),
    );
  };
}

interface Batch {
  readonly Body: HeldBody | undefined;
  readonly Reply: Ack;
}

/** Whoever answers must release the hold. */
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
