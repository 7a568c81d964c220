/**
 * Servers that are not a working collector: they delay answers, never answer, or answer something
 * else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** `abandoned`: the client went away before it was answered. */
interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
  outcome: 'open' | 'answered' | 'abandoned';
  /** By `performance.now()`. */
  readonly arrivedMs: number;
  /** Infinite while it is open. */
  endedMs: number;
}

/** Contract: serves until `close`, which breaks open connections. */
export interface StandIn {
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly Readonly<StandInRequest>[];
  close(): Promise<void>;
}

/** Accepts connections and requests and never answers any. */
export function startHanging(): Promise<StandIn> {
  return startStandIn(() => new Promise<never>(() => undefined));
}

/** Another web server, without such a page. */
export function startStranger(): Promise<StandIn> {
  return startStandIn(async (_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  });
}

/** On this port; acknowledges everything and accepts every question. */
export function startYesSayer(port: number): Promise<StandIn> {
  return startStandIn(async (_request, response, body) => {
    const text = body.length === 0 ? '[]' : gunzipSync(body).toString();
    const { length } = JSON.parse(text) as readonly unknown[];
    const proof = { home: 'yes', token: { here: 'yes', anywhere: 'yes' } };
    response.end(
      JSON.stringify({
        accepted: length,
        duplicates: 0,
        expired: 0,
        rejected: [],
        ready: true,
        live: true,
        ...proof,
      }),
    );
  }, port);
}

/** Forwards everything to `target` at once, and its answers to posts `delayMs` later. */
export function startSlowProxy(target: string, delayMs: () => number): Promise<StandIn> {
  return startStandIn(async (request, response, body) => {
    const {
      'content-type': contentType = '',
      'content-encoding': contentEncoding = 'identity',
      authorization = '',
    } = request.headers;
    const headers = {
      'content-type': contentType,
      'content-encoding': String(contentEncoding),
      authorization,
    };
    const isPost = request.method === 'POST';
    const posted = isPost ? { method: 'POST', headers, body: new Uint8Array(body) } : {};
    const answer = await fetch(`${target}${request.url}`, posted);
    const text = await answer.text();
    if (isPost) await sleep(delayMs(), undefined, { ref: false });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
}

async function startStandIn(
  serve: (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>,
  port = 0,
): Promise<StandIn> {
  const requests: StandInRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const { authorization = null } = headers;
    const seen: StandInRequest = {
      method,
      path,
      authorization,
      outcome: 'open',
      arrivedMs: performance.now(),
      endedMs: Number.POSITIVE_INFINITY,
    };
    requests.push(seen);
    response.on('close', () => {
      seen.endedMs = performance.now();
      seen.outcome = response.writableFinished ? 'answered' : 'abandoned';
    });
    bodyOf(request)
      .then((body) => serve(request, response, body))
      // A disconnected client, or a target that is down: to the client both are a broken
      // connection.
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
