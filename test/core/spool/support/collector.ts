import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { answerProof } from './proving.ts';

interface ReceivedBatch {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  /** The decompressed body, as text and parsed (undefined if it does not parse). */
  readonly text: string;
  readonly events: readonly { id: string; source: string; sequence: string }[] | undefined;
}

export type Responder = (batch: ReceivedBatch, response: ServerResponse) => void;

export interface TestCollector {
  readonly url: string;
  readonly batches: readonly ReceivedBatch[];
  /** The maximum number of concurrent requests. */
  inFlightMax(): number;
  /** Ids in order of arrival, with repetitions, of batches that were not refused. */
  ids(): readonly string[];
  /** Applies from the next request on. */
  respond(responder: Responder): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server that proves its identity and acknowledges every batch, unless a test changes
 * that.
 */
export async function startCollector(
  responder: Responder = acknowledge,
  port = 0,
): Promise<TestCollector> {
  const batches: ReceivedBatch[] = [];
  let respond = responder;
  let inFlight = 0;
  let inFlightMax = 0;
  const server = createServer((request, response) => {
    if (answerProof(request, response)) return;
    inFlight += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.on('close', () => {
      inFlight -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = gunzipSync(Buffer.concat(chunks)).toString('utf8');
      const batch = {
        headers: request.headers,
        path: request.url ?? '',
        text,
        events: parse(text),
      };
      batches.push(batch);
      respond(batch, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    inFlightMax: () => inFlightMax,
    ids: () => batches.flatMap(({ events }) => events?.map(({ id }) => id) ?? []),
    respond(next) {
      respond = next;
    },
    close,
  };
}

/** Like the collector: acknowledges a body that parses, and refuses one that does not. */
export const acknowledge: Responder = ({ events }, response) => {
  if (events === undefined)
    return answer(400)({ headers: {}, path: '', text: '', events }, response);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ accepted: events.length, duplicates: 0, expired: 0, rejected: [] }),
  );
};

export const hang: Responder = () => undefined;

export function answer(
  status: number,
  headers: Record<string, string> = {},
  body = '{}',
): Responder {
  return (_batch, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

function parse(text: string): ReceivedBatch['events'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
