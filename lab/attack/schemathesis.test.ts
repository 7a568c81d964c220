/**
 * Schemathesis on all that a running collector and a gateway say of themselves in their OpenAPI
 * document: no error of ours, no status, content type or answer that is not in it, nothing let in
 * that it rules out, and nothing without a token that needs one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { wrongAnswers, wrongDocument } from './schemathesis/wrong-server.ts';
import { type AttackedCollector, attackedRoles, startAttacked } from './support/collector.ts';
import { runSchemathesis } from './support/run-schemathesis.ts';

const directory = temporaryDirectory();
const ask = (url: string, token: string) => runSchemathesis(url, token, directory);

describe.each(attackedRoles)('on the role %s:', (role) => {
  let collector: AttackedCollector;

  beforeAll(async () => {
    collector = await startAttacked(directory, { role, hasDemo: true });
  });
  afterAll(() => collector.stop());

  it('what is served is as the document says', async () => {
    const { code, said, cases } = await ask(collector.url, collector.tokens.machine);
    console.log(`${cases} cases`);
    expect([code, code === 0 ? '' : said]).toEqual([0, '']);
    expect(cases).toBeGreaterThan(role === 'all' ? 300 : 20);
    expect(collector.process.errors()).not.toMatch(/a request failed|"level":(50|60)/);
  });
});

it('this check notices each kind of fault', async () => {
  const server = createServer((request, response) => {
    const [status, type, body] = wrongAnswers(request.url ?? '');
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, said } = await ask(`http://127.0.0.1:${port}`, 'any');
  server.close();
  expect(code).toBe(1);
  for (const [path, fault] of Object.entries(wrongDocument.faults)) {
    expect(said).toContain(path);
    expect(said).toContain(fault);
  }
});
