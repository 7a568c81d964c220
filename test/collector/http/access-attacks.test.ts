/**
 * Attacks without a token, or with one that should not suffice. Over real sockets, since they
 * depend on how requests are written.
 */
import { get as httpGet } from 'node:http';
import { describe, expect, it } from 'vitest';
import { exampleEvents } from '../support/events.ts';
import { guardedLedgers } from '../support/guarded.ts';
import { batchType } from '../support/ledger.ts';
import { sendRaw, servedCollectors } from '../support/served.ts';

const served = servedCollectors();
const guarded = guardedLedgers();

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

/** `lines`: the request line and its headers. */
const request = (...lines: readonly string[]): string =>
  `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;

describe('a request that is written to mean two things', () => {
  it('with two Authorization headers is refused, whichever is good', async () => {
    const { collector, token } = await served.start();
    const [good, bad] = [`Authorization: Bearer ${token.text}`, 'Authorization: Bearer wrong'];
    const line = 'GET /v1/usage HTTP/1.1';
    expect(statusOf(await sendRaw(collector.url, request(line, 'Host: localhost', good)))).toBe(
      200,
    );
    for (const both of [
      [good, bad],
      [bad, good],
      [good, good],
      [good, bad.replace('Authorization', 'aUTHORIZATION')],
    ]) {
      const answer = await sendRaw(collector.url, request(line, 'Host: localhost', ...both));
      // Not 400, which makes producers set the body aside.
      expect(statusOf(answer)).toBe(403);
      expect(answer).not.toContain(token.text);
    }
  });

  it('with two Host headers is refused', async () => {
    const { collector, token } = await served.start();
    const line = 'GET /v1/usage HTTP/1.1';
    const answers = [
      ['Host: localhost', 'Host: evil.example'],
      ['Host: localhost', 'host: localhost'],
      ['Host: evil.example', 'Host: localhost'],
    ];
    for (const hosts of answers) {
      const answer = await sendRaw(
        collector.url,
        request(line, ...hosts, `Authorization: Bearer ${token.text}`),
      );
      expect([400, 403]).toContain(statusOf(answer));
    }
  });

  it('whose target names another host than its Host header is refused', async () => {
    const { collector, token } = await served.start();
    const ask = (target: string, host = 'localhost') =>
      sendRaw(
        collector.url,
        request(`GET ${target} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token.text}`),
      );
    expect(statusOf(await ask('http://evil.example/v1/usage'))).toBe(403);
    expect(statusOf(await ask('HTTP://evil.example:80/v1/usage'))).toBe(403);
    expect(statusOf(await ask('http://localhost@evil.example/v1/usage'))).toBe(403);
    expect(statusOf(await ask('http://localhost/v1/usage', 'evil.example'))).toBe(403);
    expect(statusOf(await ask('http://localhost:1/v1/usage'))).toBe(200);
    expect([400, 403, 404]).toContain(statusOf(await ask('ftp://localhost/v1/usage')));
    expect([400, 403, 404]).toContain(statusOf(await ask('evil.example/v1/usage')));
  });

  it('is not trusted for its X-Forwarded headers', async () => {
    const { collector, token } = await served.start();
    const lies = [
      'X-Forwarded-Host: localhost',
      'Forwarded: host=localhost;for=127.0.0.1',
      'X-Real-IP: 127.0.0.1',
      'X-Forwarded-For: 127.0.0.1',
    ];
    const others = [
      'X-Forwarded-Proto: https',
      `X-Forwarded-Authorization: Bearer ${token.text}`,
      `Proxy-Authorization: Bearer ${token.text}`,
    ];
    const line = 'GET /v1/usage HTTP/1.1';
    expect(
      statusOf(await sendRaw(collector.url, request(line, 'Host: localhost', ...lies, ...others))),
    ).toBe(401);
    const rebound = request(
      line,
      'Host: evil.example',
      `Authorization: Bearer ${token.text}`,
      ...lies,
    );
    expect(statusOf(await sendRaw(collector.url, rebound))).toBe(403);
  });

  it('counts for its real address, whatever its headers say', async () => {
    const { ask } = await guarded.open();
    const statuses = new Set<number>();
    for (let n = 0; n < 605; n += 1) {
      const headers = {
        'x-forwarded-for': `10.9.${n % 200}.1`,
        forwarded: `for=10.8.${n % 200}.1`,
      };
      statuses.add((await ask({ url: '/v1/usage', headers })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });

  it.each([
    'Authorization:',
    'Authorization: TOKEN',
    'Authorization: Basic TOKEN',
    'Authorization: BearerTOKEN',
    'Authorization: Bearer TOKEN, Bearer other',
    'Authorization: Bearer\tTOKEN x',
    'Authorization: Bearer "TOKEN"',
    'Cookie: token=TOKEN',
    'X-Token: TOKEN',
  ])('with a token where it does not belong (%s) is refused', async (header) => {
    const { collector, token } = await served.start();
    const written = header.replace('TOKEN', token.text);
    expect(
      statusOf(
        await sendRaw(collector.url, request('GET /v1/usage HTTP/1.1', 'Host: localhost', written)),
      ),
    ).toBe(401);
  });

  it.each(['token', 'access_token', 'authorization'])(
    'with a token in the URL (%s=) is refused before it is read',
    async (name) => {
      const { collector, token, logged } = await served.start();
      const answer = await fetch(`${collector.url}/v1/usage?${name}=${token.text}`);
      expect(answer.status).toBe(401);
      expect(`${await answer.text()}${[...answer.headers].join()}${logged.join('')}`).not.toContain(
        token.text,
      );
    },
  );
});

describe('a page of another site', () => {
  it.each(['rebound.example', 'rebound.example:7717', 'localhost.rebound.example', '10.1.2.3'])(
    'that was rebound to our address as %s is refused, even with a token',
    async (host) => {
      const { collector, token } = await served.start();
      const answer = await askAs(collector.url, host, token.text);
      expect(answer).toBe(403);
    },
  );

  it('is let in by names in the settings, in any case, with any port, and no others', async () => {
    const { collector, token } = await served.start({
      hosts: ['Ledger.Example', '10.1.2.3', '[fd00::1]'],
    });
    for (const host of [
      'ledger.example',
      'LEDGER.example:443',
      '10.1.2.3:7717',
      '[fd00::1]:7717',
      '[FD00::1]',
    ])
      expect([host, await askAs(collector.url, host, token.text)]).toEqual([host, 200]);
    for (const host of [
      'ledger.example.evil.example',
      'xledger.example',
      'ledger.example:x',
      '10.1.2.30',
      'evil.example#ledger.example',
    ])
      expect([host, await askAs(collector.url, host, token.text)]).toEqual([host, 403]);
  });

  it('may neither send nor read, even with a token', async () => {
    const { collector, token } = await served.start();
    const headers = {
      authorization: `Bearer ${token.text}`,
      origin: 'https://evil.example',
      'content-type': batchType,
    };
    const answer = await fetch(`${collector.url}/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(exampleEvents(1, 1)),
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a body', () => {
  it('is not read without a token', async () => {
    const { collector } = await served.start();
    const lines = [
      'POST /v1/events HTTP/1.1',
      'Host: localhost',
      `Content-Type: ${batchType}`,
      'Content-Length: 4000000',
    ];
    const answer = await sendRaw(collector.url, `${request(...lines)}[`);
    expect(statusOf(answer)).toBe(401);
  });
});

function askAs(url: string, host: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${token}` };
    httpGet(`${url}/v1/usage`, { headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });
}
