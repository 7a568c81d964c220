import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CollectorConnection } from '../../../extension/shipping/connection.ts';
import type { SendResult } from '../../../extension/shipping/send-result.ts';
import { createTransport } from '../../../extension/shipping/transport.ts';
import {
  acknowledge,
  answer,
  freePort,
  hang,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { collectorHome } from '../../core/spool/support/proving.ts';
import { waitMsMax } from '../../support/bounds.ts';

const nowMs = Date.UTC(2026, 10, 21);
const ack = { accepted: 2, duplicates: 0, expired: 0, rejected: [] };
const lines = ['{"id":"a","text":"ä\\n"}', '{"id":"b"}'];

function send(
  url: string,
  options: Partial<CollectorConnection> = {},
  body = lines,
): Promise<SendResult> {
  return createTransport({
    url,
    isUrlNamed: false,
    token: null,
    home: collectorHome,
    nowMs: () => nowMs,
    timeoutMs: waitMsMax,
    ...options,
  }).send(body);
}

describe('sending a batch', () => {
  it('posts the lines unchanged as a gzipped CloudEvents batch, and returns the ack', async () => {
    const collector = await startCollector();
    expect(await send(collector.url)).toEqual({ state: 'acked', ack });
    const [batch] = collector.batches;
    expect(batch).toMatchObject({ path: '/v1/events', text: `[${lines.join(',')}]` });
    expect(batch?.headers).toMatchObject({
      'content-type': 'application/cloudevents-batch+json',
      'content-encoding': 'gzip',
    });
    expect(batch?.headers).not.toHaveProperty('authorization');
    expect(batch?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('sends the token, and keeps the path of the URL', async () => {
    const collector = await startCollector();
    await send(`${collector.url}/ledger/`, { token: 'secret' });
    expect(collector.batches).toMatchObject([
      { path: '/ledger/v1/events', headers: { authorization: 'Bearer secret' } },
    ]);
  });

  it('sends an empty batch as one', async () => {
    const collector = await startCollector();
    expect(await send(collector.url, {}, [])).toMatchObject({ state: 'acked' });
    expect(collector.batches[0]?.text).toBe('[]');
  });
});

describe('an address that is asked for', () => {
  it('is asked for each batch, which waits while there is none', async () => {
    const collector = await startCollector();
    let url: string | null = null;
    const transport = createTransport({
      url: () => url,
      isUrlNamed: false,
      token: null,
      home: collectorHome,
      nowMs: () => nowMs,
    });
    expect(await transport.send(lines)).toEqual({
      state: 'retry',
      cause: 'local',
      reason: 'no collector is running on this home',
    });
    url = collector.url;
    expect(await transport.send(lines)).toEqual({ state: 'acked', ack });
  });
});

describe('what an answer means', () => {
  const cases: [string, ReturnType<typeof answer>, Partial<SendResult>][] = [
    ...[400, 404, 405, 413, 415, 422].map((status): (typeof cases)[number] => [
      `${status}`,
      answer(status),
      { state: 'refused', status },
    ]),
    ...[401, 403].map((status): (typeof cases)[number] => [
      `${status}`,
      answer(status),
      { state: 'unauthorized', status },
    ]),
    ...[408, 425, 429, 500, 502, 503].map((status): (typeof cases)[number] => [
      `${status}`,
      answer(status),
      { state: 'retry', cause: 'busy' },
    ]),
    [
      'a redirect',
      answer(302, { location: 'http://example.com/' }),
      { state: 'retry', cause: 'stranger' },
    ],
    ['204', answer(204), { state: 'retry', cause: 'stranger' }],
    ['200 with a page', answer(200, {}, '<html>'), { state: 'retry', cause: 'stranger' }],
    [
      '200 with other JSON',
      answer(200, {}, '{"accepted":"2"}'),
      { state: 'retry', cause: 'stranger' },
    ],
    ['200 with null', answer(200, {}, 'null'), { state: 'retry', cause: 'stranger' }],
    [
      'an ack without its list',
      answer(200, {}, '{"accepted":2,"duplicates":0,"expired":0}'),
      { state: 'retry', cause: 'stranger' },
    ],
    ...[
      ['fewer events', { accepted: 1 }],
      ['more events', { accepted: 3 }],
      ['events taken away', { accepted: 3, duplicates: -1 }],
      ['half events', { accepted: 1.5, duplicates: 0.5 }],
      ['none, though all is said to be well', { accepted: 0 }],
      ['an event that was not sent', { accepted: 1, rejected: [{ index: 2 }] }],
      ['an event before the first', { accepted: 1, rejected: [{ index: -1 }] }],
      ['an event that has no place', { accepted: 1, rejected: [{ index: '0' }] }],
      ['a refusal of nothing', { accepted: 1, rejected: [null] }],
      ['the same event twice', { accepted: 0, rejected: [{ index: 0 }, { index: 0 }] }],
    ].map(([what, change]): (typeof cases)[number] => [
      `an ack of ${what}`,
      answer(200, {}, JSON.stringify({ ...ack, ...(change as object) })),
      { state: 'retry', cause: 'stranger' },
    ]),
    [
      'an endless answer',
      answer(200, {}, 'x'.repeat(5 << 20)),
      { state: 'retry', cause: 'stranger', reason: 'the answer is too long' },
    ],
  ];
  for (const [name, responder, expected] of cases) {
    it(`${name}: ${expected.state}`, async () => {
      const collector = await startCollector(responder);
      expect(await send(collector.url)).toMatchObject(expected);
    });
  }

  it('returns the requested delay, in seconds or as a date, up to an hour', async () => {
    const collector = await startCollector();
    for (const [retryAfter, retryAfterMs] of [
      ['7', 7_000],
      ['0', 0],
      ['Sat, 21 Nov 2026 00:01:00 GMT', 60_000],
      ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
      ['86400', 3_600_000],
      ['soon', undefined],
    ] as const) {
      collector.respond(answer(429, { 'retry-after': retryAfter }));
      const result = await send(collector.url);
      expect(result.state === 'retry' ? result.retryAfterMs : result).toBe(retryAfterMs);
    }
  });

  it('a refusal of each event, or of some, adds up', async () => {
    for (const [accepted, rejected] of [
      [0, [{ index: 1 }, { index: 0 }]],
      [1, [{ index: 1 }]],
    ] as const) {
      const collector = await startCollector(
        answer(200, {}, JSON.stringify({ ...ack, accepted, rejected })),
      );
      expect(await send(collector.url)).toMatchObject({ state: 'acked' });
    }
  });

  it('a redirect is not followed', async () => {
    const elsewhere = await startCollector();
    for (const status of [301, 302, 303, 307, 308]) {
      const collector = await startCollector(
        answer(status, { location: `${elsewhere.url}/v1/events` }),
      );
      expect(await send(collector.url)).toMatchObject({ state: 'retry', cause: 'stranger' });
    }
    expect(elsewhere.batches).toEqual([]);
  });
});

describe('when there is no answer', () => {
  it('gives up after the timeout if the server is silent or stops in the middle', async () => {
    const collector = await startCollector(hang);
    // The first one to be asked is not the first one to give up.
    const patient = send(collector.url);
    const hasty = send(collector.url, { timeoutMs: 100 });
    expect(await Promise.race([patient, hasty])).toMatchObject({
      state: 'retry',
      cause: 'timeout',
      reason: 'no answer within 100 ms',
    });
    collector.respond((_batch, response) => {
      response.writeHead(200);
      response.write('{"accepted":');
    });
    expect(await send(collector.url, { timeoutMs: 100 })).toMatchObject({
      state: 'retry',
      cause: 'timeout',
    });
  });

  it('counts the timeout to the last byte: a server that drips cannot stretch it', async () => {
    const collector = await startCollector((_batch, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await send(collector.url, { timeoutMs: 150 })).toMatchObject({
      state: 'retry',
      cause: 'timeout',
    });
  });

  it('says so when nobody listens', async () => {
    const result = await send(`http://127.0.0.1:${await freePort()}`);
    expect(result).toMatchObject({ state: 'retry', cause: 'network', reason: 'ECONNREFUSED' });
  });

  it('says so when the connection breaks', async () => {
    const collector = await startCollector((_batch, response) => response.destroy());
    expect(await send(collector.url)).toMatchObject({ state: 'retry', cause: 'network' });
    collector.respond((_batch, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"accepted":2', () => response.destroy());
    });
    expect(await send(collector.url)).toMatchObject({ state: 'retry', cause: 'network' });
  });

  it('says so when something speaks another protocol', async () => {
    const server = createServer(
      (socket) => void socket.end('220 mail.example.com ESMTP\r\n'),
    ).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
      state: 'retry',
      cause: 'network',
    });
  });

  it('never rejects for a URL or a token that cannot be used', async () => {
    for (const url of ['', 'nonsense', 'ftp://127.0.0.1/', 'http://', 'http://127.0.0.1:99999']) {
      expect(await send(url)).toMatchObject({ state: 'retry', cause: 'local' });
    }
    const collector = await startCollector(acknowledge);
    expect(await send(collector.url, { token: 'two\nlines' })).toMatchObject({
      state: 'retry',
      cause: 'local',
    });
    expect(await send('https://127.0.0.1:1')).toMatchObject({ state: 'retry', cause: 'network' });
  });
});
