/** Imported events on their way to a running collector, which may be busy or gone. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openImportTarget } from '../../../../collector/cli/client/import-target.ts';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { answerProof, collectorHome } from '../../../core/spool/support/proving.ts';

let server: Server | null = null;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A collector that answers POSTs with these in order, and repeats the last one. */
async function collectorAnswering(...answers: readonly Answer[]) {
  const bodies: string[] = [];
  const tokens = new Set<string | undefined>();
  server = createServer(async (request, response) => {
    if (answerProof(request, response)) return;
    tokens.add(request.headers.authorization);
    if (request.method === 'GET') {
      response.end('{"storeId":"one"}');
      return;
    }
    let posted = '';
    for await (const part of request.setEncoding('utf8')) posted += part;
    bodies.push(posted);
    const {
      status,
      body,
      headers = {},
    } = answers[Math.min(bodies.length, answers.length) - 1] as Answer;
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const environment = {
    PI_LEDGER_HOME: collectorHome,
    PI_LEDGER_URL: `http://127.0.0.1:${port}`,
    PI_LEDGER_TOKEN: 'abc',
  };
  const target = await openImportTarget(loadCollectorConfig(environment));
  return { target, bodies, tokens };
}

const ack = { accepted: 1, duplicates: 0, expired: 0, rejected: [] };
const taken: Answer = { status: 200, body: ack };
const soon = { 'retry-after': '0' };
const busy: Answer = { status: 503, body: { message: 'not now' }, headers: soon };
const tooOften: Answer = { status: 429, body: { message: 'too often' }, headers: soon };

it('a collector that is busy gets the same events again, with the token', async () => {
  const { target, bodies, tokens } = await collectorAnswering(
    busy,
    tooOften,
    { ...busy, headers: {} },
    taken,
  );
  expect(target.storeId).toBe('one');
  expect(await target.accept([{ a: 1 }], ['{"a":1}'])).toEqual(ack);
  expect(bodies).toEqual(Array.from({ length: 4 }, () => '[{"a":1}]'));
  expect([...tokens]).toEqual(['Bearer abc']);
});

it('a collector that is always busy is not asked forever', async () => {
  const { target, bodies } = await collectorAnswering(tooOften);
  await expect(target.accept([{ a: 1 }], ['{"a":1}'])).rejects.toThrow('too often');
  expect(bodies.length).toBe(5);
});

it('a collector that refuses is not asked again, and its message is shown', async () => {
  const { target, bodies } = await collectorAnswering({
    status: 401,
    body: { message: 'no such token' },
    headers: soon,
  });
  await expect(target.accept([{ a: 1 }], ['{"a":1}'])).rejects.toThrow('no such token');
  expect(bodies.length).toBe(1);
});

it('a collector that is gone ends the import, with a hint what to do', async () => {
  const { target } = await collectorAnswering(taken);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await expect(target.accept([{ a: 1 }], ['{"a":1}'])).rejects.toThrow(
    'stopped answering. Accepted events are kept: import again.',
  );
});
