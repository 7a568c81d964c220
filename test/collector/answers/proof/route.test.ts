/** How a collector proves itself, over a real connection. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proofOf, tokenKeyOf } from '../../../../core/proof/proof.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { type Served, servedCollectors } from '../../support/served.ts';

const served = servedCollectors();
const guarded = guardedLedgers();
const nonce = 'n'.repeat(43);

async function ask({ collector }: Served, query: Readonly<Record<string, string>>) {
  const answer = await fetch(`${collector.url}/v1/proof?${new URLSearchParams(query)}`);
  return {
    status: answer.status,
    ...((await answer.json()) as { readonly home?: string; readonly token?: object }),
  };
}

const hereOf = ({ collector }: Served): string => `127.0.0.1 ${new URL(collector.url).port}`;
const keyOf = ({ config }: Served): Buffer =>
  Buffer.from(readFileSync(join(config.home, 'home.key'), 'latin1').trim(), 'hex');

describe('GET /v1/proof', () => {
  it.each(['auto', 'required'] as const)(
    'with auth %s it proves home, address and token to whoever asks',
    async (auth) => {
      const subject = await served.start({ auth });
      expect(statSync(join(subject.config.home, 'home.key')).mode & 0o777).toBe(0o600);
      const { name = '', key = Buffer.alloc(0) } = tokenKeyOf(subject.token.text) ?? {};
      expect(await ask(subject, { nonce, tokenName: name })).toEqual({
        status: 200,
        home: proofOf(keyOf(subject), 'home', nonce, hereOf(subject)),
        token: {
          here: proofOf(key, 'token', nonce, hereOf(subject)),
          anywhere: proofOf(key, 'token', nonce, 'anywhere'),
        },
      });
    },
  );

  it('proves its own token, for commands, and no token that it does not know', async () => {
    const subject = await served.start();
    const { name = '' } = tokenKeyOf(subject.machineToken) ?? {};
    expect(await ask(subject, { nonce, tokenName: name })).toMatchObject({
      token: { anywhere: expect.any(String) },
    });
    expect(await ask(subject, { nonce, tokenName: '0'.repeat(32) })).toMatchObject({
      status: 200,
      token: null,
    });
  });

  it('proves what it can read now: a key that was taken away is another one', async () => {
    const subject = await served.start();
    const before = keyOf(subject);
    rmSync(join(subject.config.home, 'home.key'));
    const { home } = await ask(subject, { nonce });
    expect(keyOf(subject)).not.toEqual(before);
    expect(home).toBe(proofOf(keyOf(subject), 'home', nonce, hereOf(subject)));
  });

  it.each([
    [{}],
    [{ nonce: '' }],
    [{ nonce: 'n'.repeat(42) }],
    [{ nonce: `${'n'.repeat(42)}\n` }],
    [{ nonce, tokenName: 'A'.repeat(32) }],
    [{ nonce, tokenName: 'a'.repeat(64) }],
    [{ nonce, more: '1' }],
  ])('refuses %j', async (query) => {
    expect(await ask(await served.start(), query as Record<string, string>)).toMatchObject({
      status: 400,
    });
  });

  it('answers an address only so often, and a known token all the same', async () => {
    const { ask: send, make } = await guarded.open();
    const { text } = await make({ scopes: ['ingest'] });
    const url = `/v1/proof?nonce=${nonce}`;
    const named = `${url}&tokenName=${tokenKeyOf(text)?.name}`;
    const statuses = new Set<number>();
    for (let count = 0; count < 601; count += 1) statuses.add((await send({ url })).status);
    expect([...statuses]).toEqual([200, 429]);
    expect((await send({ url, token: undefined })).headers['retry-after']).toBeDefined();
    expect((await send({ url: named })).status).toBe(200);
    expect((await send({ url, from: '10.0.0.2' })).status).toBe(200);
  });

  it('answers for a token only as often as that may ask', async () => {
    const { ask: send, make } = await guarded.open({ requestsPerMinuteMax: 10 });
    const { text } = await make({ scopes: ['ingest'] });
    const named = `/v1/proof?nonce=${nonce}&tokenName=${tokenKeyOf(text)?.name}`;
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await send({ url: named })).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect((await send({ url: '/v1/events', method: 'POST', token: text, body: [] })).status).toBe(
      200,
    );
  });
});
