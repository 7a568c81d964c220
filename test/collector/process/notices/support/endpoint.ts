/** A receiver of webhooks on this machine, which answers as it is told. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The n-th request, from 0. */
export type Answer = (response: ServerResponse, n: number) => void;

export async function startEndpoint(answer: Answer) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(response, received.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: new URL(`http://127.0.0.1:${port}/hook/s3cr3t-path`), received };
}

/** With each of these statuses once, then with the last for good. */
export function statuses(...codes: readonly number[]): Answer {
  return (response, n) => {
    response.writeHead(codes[Math.min(n, codes.length - 1)] ?? 500).end('body with s3cr3t-path');
  };
}
