import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type Caller, machineCaller } from '../../../../collector/auth/access.ts';
import { type FullHealth, healthRoutes } from '../../../../collector/http/routes/health.ts';

const well: FullHealth = {
  ready: true,
  role: 'leader',
  version: '1',
  storeId: 'a store',
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
    healthRoutes(async () => {
      reads += 1;
      return well;
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
