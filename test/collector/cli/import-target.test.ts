/** Imported events on their way to a collector that runs: it may be busy for a moment, or gone. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openImportTarget } from '../../../collector/cli/import-target.ts';
import { loadCollectorConfig } from '../../../collector/config.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
let server: Server | null = null;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A collector that answers posts with these, one after another, and then with the last one again. */
async function collectorAnswering(...answers: readonly (readonly [status: number, body: object])[]) {
  const bodies: string[] = [];
  server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end('{"storeId":"one"}');
      return;
    }
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    bodies.push(body);
    const [status, answer] = answers[Math.min(bodies.length, answers.length) - 1] ?? [500, {}];
    response.writeHead(status).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = await openImportTarget(
    loadCollectorConfig({ PI_LEDGER_HOME: join(root, 'home'), PI_LEDGER_URL: `http://127.0.0.1:${port}` }),
  );
  return { target, bodies };
}

const ack = { accepted: 1, duplicates: 0, expired: 0, rejected: [] };

it('a collector whose store cannot be written for a moment is sent the same events again', async () => {
  const { target, bodies } = await collectorAnswering([503, { message: 'not now' }], [200, ack]);
  expect(target.storeId).toBe('one');
  expect(await target.accept([{ a: 1 }], ['{"a":1}'])).toEqual(ack);
  expect(bodies).toEqual(['[{"a":1}]', '[{"a":1}]']);
});

it('a collector that refuses is not asked again, and its words are passed on', async () => {
  const { target, bodies } = await collectorAnswering([401, { message: 'no such token' }]);
  await expect(target.accept([], [])).rejects.toThrow('no such token');
  expect(bodies.length).toBe(1);
});

it('a collector that is gone ends the import, and it is said what to do', async () => {
  const { target } = await collectorAnswering([200, ack]);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await expect(target.accept([], [])).rejects.toThrow('does not answer any more. What it took is kept: import again.');
});
