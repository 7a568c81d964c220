/**
 * Programs that listen at the collector's address and accept everything. They receive nothing, and
 * nothing is lost.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anywhere, proofOf } from '../../../core/proof/proof.ts';
import { createTransport } from '../../../extension/shipping/transport.ts';
import { servedCollectors } from '../../collector/support/served.ts';
import { setUp, until, untilShipped, untilState } from '../../extension/shipping/support.ts';
import { startCollector } from '../spool/support/collector.ts';
import { draftsOf, idsOf } from '../spool/support/drafts.ts';
import { filesIn } from '../spool/support/places.ts';
import { collectorHome } from '../spool/support/proving.ts';

const served = servedCollectors();
const nowMs = Date.now;
const token = `pil_${'a'.repeat(43)}`;

interface Stranger {
  readonly url: string;
  readonly heard: readonly {
    readonly method: string;
    readonly path: string;
    readonly authorization: string | undefined;
  }[];
}

/** Acknowledges everything; `prove` decides how it answers the challenge. */
async function startStranger(
  prove: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<Stranger> {
  const heard: Stranger['heard'][number][] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    heard.push({ method, path, authorization: headers.authorization });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (path.startsWith('/v1/proof')) return void prove(request, response);
      const sent = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()).length;
      response.end(JSON.stringify({ accepted: sent, duplicates: 0, expired: 0, rejected: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const nonceOf = ({ url = '' }: IncomingMessage): string =>
  new URL(url, 'http://x').searchParams.get('nonce') ?? '';
const says =
  (body: unknown, status = 200) =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

/** Forwards every challenge to the real collector. */
const relay =
  (target: string) =>
  async ({ url }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`${target}${url}`);
    response.writeHead(answer.status).end(await answer.text());
  };

const told = ({ heard }: Stranger) =>
  heard.filter(
    ({ path, authorization }) => !path.startsWith('/v1/proof') || authorization !== undefined,
  );

describe('a program that accepts everything', () => {
  const wrongKey = Buffer.alloc(32, 7);
  it.each([
    ['an ack', says({ accepted: 0, duplicates: 0, expired: 0, rejected: [] })],
    ['a page', says('<html>')],
    ['nothing', says('')],
    ['null', says('null')],
    ['no such page', says('{}', 404)],
    ['that there is nothing to prove', says({ home: null, token: null })],
    ['true', says({ home: true, token: true })],
    ['empty proofs', says({ home: '', token: { here: '', anywhere: '' } })],
    [
      'the question',
      (request: IncomingMessage, response: ServerResponse) =>
        says({ home: nonceOf(request), token: null })(request, response),
    ],
    [
      'proofs under another key',
      (request: IncomingMessage, response: ServerResponse) => {
        const { localAddress, localPort } = request.socket;
        const prove = (prover: 'home' | 'token', address: string) =>
          proofOf(wrongKey, prover, nonceOf(request), address);
        const here = `${localAddress} ${localPort}`;
        says({
          home: prove('home', here),
          token: { here: prove('token', here), anywhere: prove('token', anywhere) },
        })(request, response);
      },
    ],
  ])(
    'with %s as its proof receives no event and no token, and is reported once',
    async (_name, prove) => {
      const stranger = await startStranger(prove);
      const transport = createTransport({
        url: stranger.url,
        isUrlNamed: true,
        token,
        home: collectorHome,
        nowMs,
      });
      const setup = setUp(stranger.url, { transport });
      setup.spool.append(draftsOf(1, 20));
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        setup.ship();
        setup.clock.advance(300_000);
        await until(() => expect(stranger.heard).toHaveLength(attempt));
        await untilState(setup, 'waiting');
      }
      expect(told(stranger)).toEqual([]);
      expect(filesIn(setup.spoolDirectory)).toHaveLength(1);
      expect(setup.notices).toEqual([
        expect.stringMatching(
          /not a trusted collector .*Nothing is lost: .*PI_LEDGER_(PORT|TOKEN)/,
        ),
      ]);
    },
  );

  it('that repeats an overheard proof is not trusted', async () => {
    const { collector, config } = await served.start({ auth: 'auto' });
    const overheard = await (
      await fetch(`${collector.url}/v1/proof?nonce=${'a'.repeat(43)}`)
    ).text();
    const stranger = await startStranger(says(overheard));
    const transport = createTransport({
      url: stranger.url,
      isUrlNamed: true,
      token,
      home: config.home,
      nowMs,
    });
    expect(await transport.send(['{}'])).toMatchObject({ state: 'retry', cause: 'stranger' });
    expect(told(stranger)).toEqual([]);
  });

  it('that takes over the port between proof and batch receives neither', async () => {
    const { collector, config, token: known } = await served.start({ auth: 'auto' });
    const stranger = await startStranger(async (request, response) => {
      response.setHeader('connection', 'close');
      await relay(collector.url)(request, response);
    });
    const transport = createTransport({
      url: stranger.url,
      isUrlNamed: true,
      token: known.text,
      home: config.home,
      nowMs,
    });
    expect(await transport.send(['{}'])).toMatchObject({
      state: 'retry',
      cause: 'network',
      reason: 'the connection was not kept open',
    });
    expect(told(stranger)).toEqual([]);
  });

  it('that leaves the port: pending events go to the new collector', async () => {
    const stranger = await startStranger(says({}));
    const setup = setUp(stranger.url);
    setup.spool.append(draftsOf(1, 20));
    setup.ship();
    await untilState(setup, 'waiting');
    const collector = await startCollector();
    const next = setUp(collector.url, { spoolDirectory: setup.spoolDirectory });
    next.ship();
    await untilShipped(next);
    expect(collector.ids()).toEqual(idsOf(1, 20));
  });
});

describe('a program that passes the question on to the real collector', () => {
  it.each([
    [
      'the default address, same home',
      { isUrlNamed: false, hasToken: false, isSameHome: true },
      'stranger',
    ],
    [
      'a named address, same home',
      { isUrlNamed: true, hasToken: false, isSameHome: true },
      'stranger',
    ],
    [
      'the default address, with a token',
      { isUrlNamed: false, hasToken: true, isSameHome: true },
      'stranger',
    ],
    // Like a tunnel or a container's port, from which it cannot be distinguished (SECURITY.md).
    [
      'a named address, with a token',
      { isUrlNamed: true, hasToken: true, isSameHome: false },
      'believed',
    ],
  ] as const)('at %s: %s', async (_name, { isUrlNamed, hasToken, isSameHome }, outcome) => {
    const { collector, config, token: known } = await served.start({ auth: 'auto' });
    const stranger = await startStranger(relay(collector.url));
    const home = isSameHome ? config.home : collectorHome;
    const transport = createTransport({
      url: stranger.url,
      isUrlNamed,
      token: hasToken ? known.text : null,
      home,
      nowMs,
    });
    const result = await transport.send(['{}']);
    if (outcome === 'believed') return expect(result).toMatchObject({ state: 'acked' });
    expect(result).toMatchObject({ state: 'retry', cause: 'stranger' });
    expect(told(stranger)).toEqual([]);
  });
});
