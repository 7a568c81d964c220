import { afterEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { writePage } from './page-fixture.ts';

const homes = ledgerHomes();
const pageDirectory = temporaryDirectory();
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

async function open(): Promise<Ledger> {
  const ledger = await openLedger(homes.config(), { pageDirectory: writePage(pageDirectory) });
  opened.push(ledger);
  return ledger;
}

/** What a browser sends when a link on another site is followed. */
const link = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};
const pages = ['/', '/projects/shop', '/sessions/01a2038a', '/compactions', '/models', '/health'];

async function statusOf(ledger: Ledger, url: string, headers: object, method = 'GET') {
  const answer = await ledger.app.inject({
    method: method === 'GET' ? 'GET' : 'POST',
    url,
    headers: { host: '127.0.0.1:7717', ...headers },
  });
  return answer.statusCode;
}

describe('a link on another site', () => {
  it.each(pages)('opens %s in a tab', async (url) => {
    const ledger = await open();
    expect(await statusOf(ledger, url, link)).toBe(200);
    expect(await statusOf(ledger, url, { ...link, 'sec-fetch-site': 'same-site' })).toBe(200);
  });

  it.each([
    '/v1/usage',
    '/v1/answers?ask=%2Fv1%2Fusage',
    '/v1/live',
    '/metrics',
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/assets/main-1f3a.js',
    '/nope',
  ])('does not open %s', async (url) => {
    expect(await statusOf(await open(), url, link)).toBe(403);
  });

  it.each([
    ['is in a frame', { 'sec-fetch-dest': 'iframe' }],
    ['is in a frame of the old kind', { 'sec-fetch-dest': 'frame' }],
    ['is an object', { 'sec-fetch-dest': 'object' }],
    ['is an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['is fetched by a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['is fetched without its answer', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' }],
    ['does not say what for', { 'sec-fetch-dest': '' }],
    ['does not say how', { 'sec-fetch-mode': '' }],
    ['names its origin', { origin: 'https://evil.example' }],
    ['hides its origin', { origin: 'null' }],
    ['was rebound to this address', { host: 'rebound.example:7717' }],
  ])('opens nothing where it %s', async (_, headers) => {
    expect(await statusOf(await open(), '/', { ...link, ...headers })).toBe(403);
  });

  it('cannot post a form', async () => {
    const form = { ...link, 'content-type': 'application/x-www-form-urlencoded' };
    expect(await statusOf(await open(), '/', form, 'POST')).toBe(403);
  });
});

it('a rebound name is refused without what browsers send, too', async () => {
  const ledger = await open();
  for (const url of pages)
    expect(await statusOf(ledger, url, { host: 'rebound.example' })).toBe(403);
});
