/** Requests without tokens beside those of a team, compared by counts, not by times. */
import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { exampleEvents } from '../support/events.ts';
import { guardedLedgers, startMs } from '../support/guarded.ts';
import { batchType } from '../support/ledger.ts';
import { servedCollectors } from '../support/served.ts';

const served = servedCollectors();
const guarded = guardedLedgers();

const floodRequests = 20_000;
const floodConnections = 50;
const eventsPerBatch = 10;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

function ask(
  url: string,
  agent: Agent,
  options: { readonly token?: string; readonly body?: string } = {},
): Promise<Answer> {
  const { token, body } = options;
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': batchType, 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: body === undefined ? 'GET' : 'POST', headers, agent },
      (answer) => {
        answer
          .resume()
          .on('end', () =>
            resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }),
          );
      },
    );
    sent.on('error', reject).end(body);
  });
}

describe('20,000 requests without a good token', () => {
  it('keep nobody with a token from sending, although all come from one address', async () => {
    const { collector, token } = await served.start({ requestsPerMinuteMax: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: floodConnections });
    const statuses = new Map<number, number>();
    let flooded = 0;
    const flood = async (): Promise<void> => {
      while (flooded < floodRequests) {
        flooded += 1;
        const wrong =
          flooded % 3 === 0
            ? { token: `pil_${'x'.repeat(43)}` }
            : flooded % 3 === 1
              ? { token: 'wrong' }
              : {};
        const { status } = await ask(`${collector.url}/v1/events`, agent, { ...wrong, body: '[]' });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const own = new Agent({ keepAlive: true, maxSockets: 1 });
    let batches = 0;
    const send = async (): Promise<void> => {
      while (flooded < floodRequests) {
        const body = JSON.stringify(exampleEvents(1 + batches * eventsPerBatch, eventsPerBatch));
        expect(
          (await ask(`${collector.url}/v1/events`, own, { token: token.text, body })).status,
        ).toBe(200);
        batches += 1;
      }
    };
    await Promise.all([send(), ...Array.from({ length: floodConnections }, flood)]);
    agent.destroy();
    expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(floodRequests);
    // One connection of 51 would get a 51st of the answers if each cost the same; an append costs
    // more.
    expect(batches).toBeGreaterThanOrEqual(floodRequests / floodConnections / 10);
    const records = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token.text}` };
      const usage = await fetch(`${collector.url}/v1/usage`, { headers });
      return ((await usage.json()) as { total: { records: number } }).total.records;
    };
    await expect.poll(records).toBe(batches * eventsPerBatch);
    own.destroy();
  });
});

describe('a token', () => {
  it('may ask as often in a minute as the settings say, and learns when to come back', async () => {
    const { ask: send, make } = await guarded.open({ requestsPerMinuteMax: 5 });
    const [one, other] = [await make({ scopes: ['read'] }), await make({ scopes: ['read'] })];
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push(
        (await send({ url: '/v1/usage', token: one.text, from: `10.0.0.${n}` })).status,
      );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await send({ url: '/v1/usage', token: one.text });
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'too_many_requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await send({ url: '/v1/usage', token: other.text })).status).toBe(200);
  });

  it('of this machine is not counted, and with 0 nobody is', async () => {
    const limited = await guarded.open({ requestsPerMinuteMax: 1 });
    const open = await guarded.open({ requestsPerMinuteMax: 0 });
    const { text } = await open.make({ scopes: ['read'] });
    for (let n = 0; n < 5; n += 1) {
      expect((await limited.ask({ url: '/v1/usage', token: limited.machineToken })).status).toBe(
        200,
      );
      expect((await open.ask({ url: '/v1/usage', token: text })).status).toBe(200);
    }
  });

  it('is let in although others from its address were refused too often', async () => {
    const { ask: send, make } = await guarded.open();
    const { text } = await make({ scopes: ['read'] });
    for (let n = 0; n < 700; n += 1) await send({ url: '/v1/usage', from: '10.7.7.7' });
    const refused = await send({ url: '/v1/usage', from: '10.7.7.7' });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await send({ url: '/v1/usage', from: '10.7.7.7', token: text })).status).toBe(200);
    expect((await send({ url: '/v1/usage', from: '10.7.7.8' })).status).toBe(401);
  });

  it('is refused right after it is revoked, and from the millisecond it expires', async () => {
    const { ask: send, make, revoke, clock } = await guarded.open();
    const [one, other] = [
      await make({ scopes: ['read'] }),
      await make({ scopes: ['read'], expiresAt: new Date(startMs + 1_000).toISOString() }),
    ];
    expect((await send({ url: '/v1/usage', token: one.text })).status).toBe(200);
    await revoke(one.id);
    expect((await send({ url: '/v1/usage', token: one.text })).status).toBe(401);
    clock.nowMs = startMs + 999;
    expect((await send({ url: '/v1/usage', token: other.text })).status).toBe(200);
    clock.nowMs = startMs + 1_000;
    expect((await send({ url: '/v1/usage', token: other.text })).status).toBe(401);
  });

  it('is neither accepted nor called unknown while the store does not answer', async () => {
    const { ask: send, make, ledger } = await guarded.open();
    const { text } = await make({ scopes: ['read'] });
    await ledger.tokens.close();
    const answer = await send({ url: '/v1/usage', token: text });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([503, 'store_unavailable']);
    expect(answer.headers['retry-after']).toBe('5');
  });
});
