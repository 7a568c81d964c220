/** One question to the collector: what comes back, and what a stranger at its address is told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ask } from '../../../../extension/command/asking/ask.ts';
import { askOverview } from '../../../../extension/command/asking/overview.ts';
import type { CollectorConnection } from '../../../../extension/shipping/connection.ts';
import { servedCollectors } from '../../../collector/support/served.ts';
import { answerProof, collectorHome } from '../../../core/spool/support/proving.ts';
import { eventually } from '../../../support/eventually.ts';

const served = servedCollectors();
/** Of a busy machine. */
const timeoutMs = 60_000;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(
  answer: Answer,
): Promise<CollectorConnection & { readonly heard: IncomingMessage[] }> {
  const heard: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    heard.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = `pil_${'x'.repeat(43)}`;
  return { url, isUrlNamed: false, token, home: collectorHome, nowMs: Date.now, timeoutMs, heard };
}

const proven =
  (answer: Answer): Answer =>
  (request, response) =>
    answerProof(request, response) || answer(request, response);

describe('a question to the collector', () => {
  it("is answered by the real one: a session's sums", async () => {
    const { collector, config, token } = await served.start();
    const { url } = collector;
    const own = {
      url,
      isUrlNamed: true,
      token: token.text,
      home: config.home,
      nowMs: Date.now,
      timeoutMs,
    };
    expect(await askOverview(own, 'nobody', Date.now())).toMatchObject({
      is: 'overview',
      overview: { user: 'ada', session: null, isGrowing: false, importing: null, leftOutLines: 0 },
    });
  });

  it('says in words why it is refused: no token, or one that may not read', async () => {
    const { collector, config, machineToken } = await served.start();
    const { url } = collector;
    const own = { url, isUrlNamed: true, home: config.home, nowMs: Date.now, timeoutMs };
    expect(await askOverview({ ...own, token: null }, 's', 0)).toEqual({
      is: 'none',
      why: expect.stringContaining('requires a token: set PI_LEDGER_TOKEN'),
    });
    const made = await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${machineToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'ada', scopes: ['ingest'] }),
    });
    const { token } = (await made.json()) as { token: string };
    expect(await askOverview({ ...own, token }, 's', 0)).toEqual({
      is: 'none',
      why: 'the collector says: This requires a token with the scope read.',
    });
  });

  it('tells a stranger neither the question nor the token', async () => {
    const stranger = await listen((_, response) => response.end('{"home":"x","token":null}'));
    expect(await ask('/v1/agent?session=s', stranger)).toEqual({
      is: 'none',
      why: expect.stringContaining('not a trusted collector'),
    });
    expect(stranger.heard.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [expect.stringMatching(/^\/v1\/proof\?nonce=/), undefined],
    ]);
  });

  it('gives up on a collector that hangs, before or after its proof', async () => {
    const { timeoutMs: _, ...silent } = await listen(() => undefined);
    const { timeoutMs: __, ...stuck } = await listen(proven(() => undefined));
    const why = 'no answer within 1000 ms';
    expect(await ask('/v1/agent', silent)).toEqual({ is: 'none', why });
    // On a busy machine, the proof may take the second that it waits.
    await eventually(async () => {
      expect(await ask('/v1/agent', stuck)).toEqual({ is: 'none', why });
      expect(stuck.heard.map(({ url }) => url)).toContain('/v1/agent');
    });
  });

  it('says so where nothing listens, or no collector runs on this home', async () => {
    const gone = await listen(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await ask('/v1/agent', gone)).toEqual({
      is: 'none',
      why: 'no collector answers (ECONNREFUSED)',
    });
    expect(await ask('/v1/agent', { ...gone, url: () => null })).toEqual({
      is: 'none',
      why: 'no collector is running on this home',
    });
  });

  it('does not take another answer for one of its own', async () => {
    const asking = async (status: number, body: string) => {
      const odd = await listen(proven((_, response) => response.writeHead(status).end(body)));
      const asked = await askOverview(odd, 's', 0);
      return asked.is === 'none' ? asked.why : null;
    };
    expect(await asking(200, '<html>')).toContain('status 200');
    expect(await asking(200, '{}')).toContain('another version');
    expect(await asking(404, '{}')).toContain('older than this extension');
    expect(await asking(503, '{"message":"The store is in trouble."}')).toContain('in trouble');
  });
});
