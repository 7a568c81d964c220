import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { severalAnswersRoutes } from '../../../../collector/http/page/group.ts';
import { errorsIn } from '../../support/contract-check.ts';
import { filled, guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { adas, bobs } from '../../support/two-people.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();

function together(...asks: readonly string[]): string {
  return `/v1/answers?${asks.map((ask) => `ask=${encodeURIComponent(ask)}`).join('&')}`;
}

describe('several answers in one request', () => {
  it('are the answers of the routes, in the order of the asks, each with its status', async () => {
    const ledger = await homes.holding(adas, bobs());
    const asks = [
      '/v1/usage?by=project,day&since=2026-01-01',
      '/v1/sessions/nope',
      '/v1/models',
      '/v1/usage?by=nonsense',
    ];
    const { answers } = (await get(ledger, together(...asks))).json();
    const alone = await Promise.all(asks.map((ask) => get(ledger, ask)));
    expect(answers).toEqual(
      alone.map((answer, index) => ({
        ask: asks[index],
        status: answer.status,
        body: answer.json(),
      })),
    );
    expect(alone.map(({ status }) => status)).toEqual([200, 404, 200, 400]);
  });

  it.each([
    '/v1/answers?ask=%2Fv1%2Fusage',
    '/v1/log',
    '/v1/totals?users=include',
    '/v1/log/own?after=3',
    '/v1/%6Cog',
    '/v1/x/../log',
    '/v1/x/%2e%2e/log',
    '/v1/live',
    '/metrics',
    '/health/ready',
    '/v1/../metrics',
    '//localhost/v1/usage',
    'http://localhost/v1/usage',
    'v1/usage',
    '/v1/%zz',
    '/v1/usage?format=csv',
    '/v1/usage?format=ndjson',
  ])('are not those of %s', async (ask) => {
    const answer = await get(await homes.open(), together('/v1/usage', ask));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'ask' });
  });

  it('are at most 12, none of them long, and at least one', async () => {
    const ledger = await homes.open();
    const many = (count: number) => together(...Array.from({ length: count }, () => '/v1/models'));
    expect((await get(ledger, many(12))).json().answers).toHaveLength(12);
    expect((await get(ledger, many(13))).status).toBe(400);
    expect((await get(ledger, '/v1/answers')).status).toBe(400);
    const long = together(`/v1/usage?project=${'x'.repeat(2_000)}`);
    expect((await get(ledger, long)).status).toBe(400);
  });

  it('change nothing: only routes that are read by GET', async () => {
    const { answers } = (await get(await homes.open(), together('/v1/rebuild/usage'))).json();
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('with tokens', () => {
  it('each ask has the rights of the request, and no more', async () => {
    const { ledger, ask, make, machineToken } = await guarded.open();
    const events = [...adas, ...bobs()];
    await ask({ method: 'POST', url: '/v1/events', token: machineToken, body: events });
    await ledger.subscription.catchUp();
    const own = await make({ user: 'ada', scopes: ['read'], onlyOwn: true });
    const asks = ['/v1/usage?by=user', '/v1/dead-letters', '/v1/tokens', '/v1/sessions'];
    const answer = await ask({ url: together(...asks), token: own.text });
    const { answers } = JSON.parse(answer.text);
    for (const [index, url] of asks.entries()) {
      const alone = await ask({ url, token: own.text });
      expect(answers[index].status).toBe(alone.status);
      expect(answers[index].body).toEqual(JSON.parse(alone.text));
    }
    expect(answers.map(({ status }: { status: number }) => status)).toEqual([200, 403, 403, 200]);
    expect(JSON.stringify(answers[0].body.rows)).not.toContain('"bob"');
  });

  it('the floor for small groups holds for each ask', async () => {
    const { ask, make } = await guarded.open({ minimumUsers: 3 });
    const { text } = await make({ user: 'ada', scopes: ['read'] });
    const answer = await ask({
      url: together('/v1/usage?by=project', '/v1/sessions'),
      token: text,
    });
    const [usage, sessions] = JSON.parse(answer.text).answers;
    expect([usage.status, sessions.status]).toEqual([200, 403]);
    expect(sessions.body).toEqual(
      JSON.parse((await ask({ url: '/v1/sessions', token: text })).text),
    );
  });

  it('every ask counts, and the request itself', async () => {
    const { ask, make } = await guarded.open({ requestsPerMinuteMax: 5 });
    const { text } = await make({ scopes: ['read'] });
    const url = together('/v1/usage', '/v1/models', '/v1/tools', '/v1/sessions');
    const { answers } = JSON.parse((await ask({ url, token: text })).text);
    expect(answers.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask({ url: '/v1/usage', token: text })).status).toBe(429);
  });

  it('nobody without one is answered', async () => {
    const { ask } = await guarded.open();
    expect((await ask({ url: together('/v1/usage') })).status).toBe(401);
    expect((await ask({ url: filled(together('/v1/proof')) })).status).toBe(401);
  });
});

it('are 8 MiB together at most: what comes then has to be asked alone', async () => {
  const app = Fastify();
  const long = JSON.stringify('x'.repeat(9 * 1024 * 1024));
  app.get('/v1/long', (_, reply) => reply.type('application/json').send(long));
  app.get('/v1/short', (_, reply) => reply.type('application/json').send('1'));
  await app.register(severalAnswersRoutes);
  const { answers } = (
    await app.inject(together('/v1/short', '/v1/long', '/v1/short?again'))
  ).json();
  await app.close();
  expect(answers.map(({ status }: { status: number }) => status)).toEqual([200, 200, 503]);
  expect(answers[2].body).toMatchObject({ code: 'answers_too_long' });
  expect(errorsIn('error', answers[2].body)).toEqual([]);
});
