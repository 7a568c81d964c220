import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type FullHealth, routes } from '../../../../collector/answers/health/route.ts';
import { type Caller, machineCaller } from '../../../../collector/auth/access.ts';
import { guardedLedgers } from '../../support/guarded.ts';

const well: FullHealth = {
  ready: true,
  role: 'leader',
  version: '1',
  storeId: 'a store',
  startedAt: '2026-11-22T09:00:00.000Z',
  store: { kind: 'sqlite', bytes: 4_096 },
  problems: [],
  warnings: [],
  views: [],
  subscribers: [],
};

/** How often the store is read while this many ask. */
async function readsOf(caller: Caller | null, requests: number): Promise<number> {
  let reads = 0;
  const app = Fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    request.caller = caller;
  });
  await app.register(
    routes({
      readHealth: async () => {
        reads += 1;
        return well;
      },
    }),
  );
  const answers = await Promise.all(
    Array.from({ length: requests }, () => app.inject('/health/ready')),
  );
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  await app.close();
  return reads;
}

describe('GET /health/ready', () => {
  it('looks at the store for all who have no token at once, however many ask', async () => {
    expect(await readsOf(null, 200)).toBeLessThan(20);
  });

  it('looks for each who has one', async () => {
    expect(await readsOf(machineCaller, 20)).toBe(20);
  });
});

describe('GET /v1/health', () => {
  const ledgers = guardedLedgers();

  it('tells it with status 200 also while it is not ready', async () => {
    const app = Fastify();
    app.decorateRequest('caller', null);
    app.addHook('onRequest', async (request) => {
      request.caller = machineCaller;
    });
    const unwell = { ...well, ready: false, problems: ['The disk is full.'] };
    await app.register(routes({ readHealth: async () => unwell }));
    const answer = await app.inject('/v1/health');
    expect([answer.statusCode, answer.json()]).toEqual([200, unwell]);
    await app.close();
  });

  it('tells those who may read a part that it is ready, and nothing of its views', async () => {
    const subject = await ledgers.open();
    const reader = await subject.make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const { status, text } = await subject.ask({ url: '/v1/health', token: reader.text });
    expect([status, JSON.parse(text).ready, JSON.parse(text).views]).toEqual([200, true, []]);
    expect((await subject.ask({ url: '/v1/health' })).status).toBe(401);
  });
});
