/** A collector that requires no tokens, and routes without a scope. */
import { describe, expect, it } from 'vitest';
import { filled, guardedLedgers } from '../support/guarded.ts';

const guarded = guardedLedgers();

describe('a route', () => {
  it('that names no scope is not registered', async () => {
    const { addAccess } = await import('../../../collector/http/access.ts');
    const { default: Fastify } = await import('fastify');
    const { ledger } = await guarded.open();
    const app = Fastify();
    const access = {
      mode: 'tokens',
      tokens: ledger.tokens,
      machineToken: null,
      hosts: [],
      requestsPerMinuteMax: 0,
      minimumUsers: 0,
      readHomeKey: async () => null,
      now: Date.now,
    } as const;
    await addAccess(app, access);
    expect(() => app.get('/new', async () => 'secret')).toThrow('names no scope');
    expect(() =>
      app.get('/new', { config: { scope: 'everybody' as 'read' } }, async () => 'secret'),
    ).toThrow('names no scope');
    expect(() =>
      app.get('/new', { config: { scope: 'read' } }, async () => 'secret'),
    ).not.toThrow();
    expect((await app.inject('/new')).statusCode).toBe(401);
    await app.close();
  });
});

describe('a collector on loopback that asks for no tokens', () => {
  it('lets every program in, except to the tokens, which stay valid for later', async () => {
    const subject = await guarded.open({ auth: 'auto' });
    for (const { method, url, scope } of subject.ledger.app.routeList) {
      const { status } = await subject.ask({ method: String(method), url: filled(url) });
      if (scope === 'tokens') expect([method, url, status]).toEqual([method, url, 403]);
      else expect([401, 403]).not.toContain(status);
    }
    expect((await subject.ask({ url: '/v1/tokens', token: subject.machineToken })).status).toBe(
      200,
    );
    expect((await subject.ask({ url: '/v1/usage', token: 'not one of ours' })).status).toBe(200);
  });
});
