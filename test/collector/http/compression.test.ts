import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ledgerHomes } from '../support/ledger.ts';
import { adas, catalogue } from '../support/two-people.ts';

const homes = ledgerHomes();
const gzip = { 'accept-encoding': 'gzip, deflate, br' };

describe('an answer longer than a packet', () => {
  it('is compressed for who accepts gzip, and says by what it varies', async () => {
    const { app } = await homes.holding(adas);
    const plain = await app.inject({ url: '/v1/usage' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await app.inject({ url: '/v1/usage', headers: gzip });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(packed.rawPayload.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept, accept-encoding',
    });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    const csv = await app.inject({ url: '/v1/usage?format=csv', headers: gzip });
    expect(gunzipSync(csv.rawPayload).toString()).toMatch(/^project,/);
  });

  it.each(['identity', 'gzip;q=0', 'br', ''])('is plain for who accepts "%s"', async (accepted) => {
    const { app } = await homes.holding(adas);
    const headers = { 'accept-encoding': accepted };
    const answer = await app.inject({ url: '/v1/usage', headers });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.json().rows).not.toEqual([]);
  });
});

it('short answers, streams and answers to posts are as they were', async () => {
  const { app } = await homes.holding(adas);
  for (const url of ['/v1/quota', '/v1/log?limit=1000', '/nope'])
    expect((await app.inject({ url, headers: gzip })).headers['content-encoding']).toBeUndefined();
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/reprice',
    headers: { ...gzip, 'content-type': 'application/json' },
    payload: JSON.stringify(catalogue),
  });
  expect(answer.body.length).toBeGreaterThan(1024);
  expect(answer.headers['content-encoding']).toBeUndefined();
});
