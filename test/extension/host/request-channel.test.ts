/** Requests of this process, as Node tells them of a real `fetch`. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchRequests } from '../../../extension/host/request-channel.ts';

let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.headers.fails === 'yes' ? 529 : 200).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = async (path: string, headers: Record<string, string> = {}) =>
  void (await (await fetch(`${origin}${path}`, { method: 'POST', headers })).text());

function watched() {
  const sent: string[] = [];
  const answered: object[] = [];
  let failures = 0;
  const stop = watchRequests({
    sent(to) {
      sent.push(to);
      return { to };
    },
    answered: (each) => void answered.push(each),
    failed() {
      failures += 1;
    },
  });
  return { sent, answered, stop, failures: () => failures };
}

describe('a request', () => {
  it.each([
    '/v1/chat/completions',
    '/v1/messages?beta=true',
    '/backend-api/codex/responses',
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    '/v1/embeddings',
  ])('that asks a model is told, with its origin alone: %s', async (path) => {
    const { sent, answered, stop } = watched();
    await post(path);
    stop();
    expect([sent, answered]).toEqual([[origin], [{ to: origin }]]);
  });

  it.each([
    '/v1/messages/count_tokens',
    '/v1beta/models/m:countTokens',
    '/oauth/token',
    '/mcp',
    '/api/show',
  ])('that asks none is not: %s', async (path) => {
    const { sent, stop } = watched();
    await post(path);
    stop();
    expect(sent).toEqual([]);
  });

  it('that lists models is not', async () => {
    const { sent, stop } = watched();
    await (await fetch(`${origin}/v1/responses`)).text();
    stop();
    expect(sent).toEqual([]);
  });

  it('that fails is sent and not answered', async () => {
    const { sent, answered, stop } = watched();
    await post('/v1/messages', { fails: 'yes' });
    stop();
    expect([sent.length, answered]).toEqual([1, []]);
  });

  it('is not told any more after the end', async () => {
    const { sent, stop } = watched();
    stop();
    await post('/v1/messages');
    expect(sent).toEqual([]);
  });

  it('fails for nobody when a listener does', async () => {
    let failures = 0;
    const broken = () => {
      throw new Error('broken');
    };
    const stop = watchRequests({
      sent: broken,
      answered: broken,
      failed() {
        failures += 1;
      },
    });
    await post('/v1/messages');
    stop();
    expect(failures).toBe(1);
  });
});
