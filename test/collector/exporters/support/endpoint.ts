/** An OTLP/HTTP endpoint of the tests: answers as it is told, and keeps what it took. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { decodeItems, type Item } from './decode.ts';

interface Request {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly items: readonly Item[];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
}

/** `hang`: accepts and never answers. `cut`: takes it, and the answer is lost. */
export type Behaviour = (request: Request) => Reply | 'hang' | 'cut';

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  /** Everything that came, answered or not. */
  readonly requests: Request[];
  /** Items of requests that it took (200). */
  taken(): readonly Item[];
  /** Connections that the client ended while it waited for an answer. */
  ended(): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

const ok: Behaviour = () => ({ status: 200 });

export async function openEndpoint(port = 0): Promise<Endpoint> {
  const requests: Request[] = [];
  const taken: Item[] = [];
  let ended = 0;
  let behaviour = ok;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const { url: path = '', headers } = incoming;
      const sent = Buffer.concat(chunks);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const request = { path, headers, items: decodeItems(signalOf(path), body), body };
      requests.push(request);
      const reply = behaviour(request);
      if (reply === 'hang') {
        response.on('close', () => {
          ended += 1;
        });
        return;
      }
      if (reply === 'cut' || reply.status === 200) taken.push(...request.items);
      if (reply === 'cut') incoming.socket.destroy();
      else response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
    });
  });
  const bound = await listen(server, port);
  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    taken: () => taken,
    ended: () => ended,
    behave(next) {
      behaviour = next;
    },
    close,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function signalOf(path: string): 'traces' | 'logs' | 'metrics' {
  if (path.endsWith('/v1/traces')) return 'traces';
  return path.endsWith('/v1/metrics') ? 'metrics' : 'logs';
}

/** The answer that took a request and dropped some of it. */
export function partialSuccess(rejected: number, message: string): Reply {
  const text = Buffer.from(message);
  const inner = Buffer.concat([Buffer.from([0x08, rejected, 0x12, text.length]), text]);
  return {
    status: 200,
    headers: { 'content-type': 'application/x-protobuf' },
    body: Buffer.concat([Buffer.from([0x0a, inner.length]), inner]),
  };
}
