import { describe, expect, it } from 'vitest';
import { exampleEvents } from '../support/events.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();

describe('who may ask', () => {
  it.each(['localhost', 'LOCALHOST:7717', '127.0.0.1', '127.0.0.1:7717', '[::1]:7717'])(
    'a program that calls it %s',
    async (host) => {
      expect((await get(await homes.open(), '/v1/usage', { host })).status).toBe(200);
    },
  );

  it.each([
    'rebound.example:7717',
    'localhost.example',
    '127.0.0.1.example',
    'localhost:7717.example',
    '[::1',
    '10.0.0.1:7717',
    'user@localhost',
  ])('not a page that reached it as "%s" (DNS rebinding)', async (host) => {
    const ledger = await homes.open();
    const answer = await get(ledger, '/v1/usage', { host });
    expect(answer.status).toBe(403);
    expect(answer.json().code).toBe('host_not_allowed');
    expect((await post(ledger, exampleEvents(1, 1), { host })).status).toBe(403);
    expect(await ledger.log.head()).toBe(0);
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('not a page of another origin: %o', async (headers) => {
    const ledger = await homes.open();
    const answer = await ledger.app.inject({
      method: 'POST',
      url: '/v1/rebuild/sessions',
      headers: headers as Record<string, string>,
    });
    expect(answer.statusCode).toBe(403);
    expect((await get(ledger, '/v1/usage', headers as Record<string, string>)).status).toBe(403);
  });

  it('a page that it serves itself', async () => {
    const headers = {
      host: '127.0.0.1:7717',
      origin: 'http://127.0.0.1:7717',
      'sec-fetch-site': 'same-origin',
    };
    expect((await get(await homes.open(), '/v1/usage', headers)).status).toBe(200);
  });
});

describe('every answer', () => {
  it.each(['/v1/usage', '/nope', '/v1/usage?foo=1', '/health/live'])(
    'of %s lets no other page read or frame it',
    async (url) => {
      const { headers } = await get(await homes.open(), url);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('to a preflight is a refusal', async () => {
    const ledger = await homes.open();
    const answer = await ledger.app.inject({
      method: 'OPTIONS',
      url: '/v1/events',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('that is an error has a code and a message, and nothing of the inside', async () => {
    const ledger = await homes.open();
    for (const url of [
      '/nope',
      '/%zz',
      '/v1/usage?cursor=x',
      '/v1/sessions/unknown',
      `/v1/sessions/${'x'.repeat(300)}`,
      '/v1/usage?__proto__=1',
    ]) {
      const answer = await get(ledger, url);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(['code', 'message']));
      expect(answer.text).not.toMatch(/\.ts|node_modules|stack/);
    }
  });
});
