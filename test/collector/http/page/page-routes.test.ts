import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { html, script, writePage } from './page-fixture.ts';

const homes = ledgerHomes();
const directory = temporaryDirectory();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

interface Settings {
  readonly isBuilt?: boolean;
  readonly auth?: 'required';
}

async function open({ isBuilt = true, auth }: Settings = {}): Promise<Ledger> {
  const place = join(directory, String(Math.random()));
  const ledger = await openLedger(
    { ...homes.config(), ...(auth === undefined ? {} : { auth }) },
    {
      machineToken: 'of-this-machine',
      pageDirectory: isBuilt ? writePage(place) : place,
    },
  );
  opened.push(ledger);
  return ledger;
}

async function ask(ledger: Ledger, url: string, headers: Record<string, string> = {}) {
  return ledger.app.inject({ url, headers: { host: 'localhost', ...headers } });
}

const views = [
  '/',
  '/projects',
  '/projects/shop%2Ffront',
  `/projects/${'x'.repeat(300)}`,
  '/sessions',
  '/sessions/01a2038a?turn=61',
  '/compactions?show=7c1f0f3e',
  '/models',
  '/budgets',
  '/health',
  '/insights/7c1e04b2',
];

describe('an address that no view has', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('is a page to a browser, and an error to a program', async () => {
    const ledger = await open();
    const page = await ask(ledger, '/nowhere/else', browser);
    expect(page.statusCode).toBe(404);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    for (const [url, headers] of [
      ['/nowhere', {}],
      ['/v1/nowhere', browser],
      ['/assets/nothing.js', browser],
    ] as const) {
      const answer = await ask(ledger, url, headers);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not_found']);
    }
  });
});

describe('the document', () => {
  it.each(views)('is at %s', async (url) => {
    const answer = await ask(await open(), url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(answer.body).toBe(html);
  });

  it('runs its own scripts only, sends to nobody else, and stands in no frame', async () => {
    const { headers } = await ask(await open(), '/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('is public where tokens are required, and nothing else becomes so', async () => {
    const ledger = await open({ auth: 'required' });
    for (const url of [...views, '/assets/main-1f3a.js'])
      expect((await ask(ledger, url)).statusCode, url).toBe(200);
    for (const url of ['/v1/usage', '/metrics', '/nope'])
      expect((await ask(ledger, url)).statusCode, url).toBe(401);
  });

  it('leaves the health of the collector where it is', async () => {
    const answer = await ask(await open(), '/health/live');
    expect(answer.json()).toEqual({ live: true });
  });

  it('can be asked for its head', async () => {
    const ledger = await open();
    const answer = await ledger.app.inject({
      method: 'HEAD',
      url: '/',
      headers: { host: 'localhost' },
    });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect(answer.headers['content-length']).toBe(String(html.length));
  });

  it('that is not built says how to build it, and is found once it is', async () => {
    const place = join(directory, 'later');
    const ledger = await openLedger(homes.config(), { pageDirectory: place });
    opened.push(ledger);
    const answer = await ask(ledger, '/');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toContain('npm install');
    writePage(place);
    expect((await ask(ledger, '/')).body).toBe(html);
  });
});

describe('an asset', () => {
  it('may be kept for ever, since its name changes with its content', async () => {
    const ledger = await open();
    const answer = await ask(ledger, '/assets/main-1f3a.js');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body).toBe(script);
    const style = await ask(ledger, '/assets/main-77ab.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const)('is sent to who accepts "%s" as %s', async (accepted, encoding, unpack) => {
    const answer = await ask(await open(), '/assets/main-1f3a.js', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
    expect(unpack(answer.rawPayload).toString()).toBe(script);
  });

  it.each([
    '/assets/',
    '/assets/nope.js',
    '/assets/../secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/folder',
    '/assets/__proto__',
    '/secret.txt',
    '/assets/..%2findex.html',
  ])('is nothing but a file of the list: %s', async (url) => {
    const answer = await ask(await open(), url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('not_found');
  });
});
