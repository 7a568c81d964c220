/** `GET /v1/totals`: what the counters show, in decimal. */
import { describe, expect, it, vi } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { type Guarded, guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { offer } from '../../support/two-people.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();
const at = '2026-11-22T10:00:00.000Z';

describe('GET /v1/totals', () => {
  it('answers amounts in decimal, in the unit of the metric', async () => {
    const spend = { costNanoUsd: 12_300_000, cacheReadTokens: 1_000 };
    const ledger = await homes.holding([attributed(at), turn(at, spend), turn(at, spend)]);
    const { generation, rows } = (await get(ledger, '/v1/totals')).json();
    expect(generation).toMatch(/^\d+(\.\d+)*$/);
    const found = rows.map((row: { metric: string; amount: string }) => [row.metric, row.amount]);
    expect(Object.fromEntries(found)).toMatchObject({
      'gen_ai.client.inference.usage.input_tokens': '2002',
      'gen_ai.client.inference.usage.cache_read.input_tokens': '2000',
      'pi.cost.usd': '0.0246',
      'pi.usage.records': '2',
    });
  });

  it('answers single metrics, and splits them by user, when asked to', async () => {
    const ledger = await homes.holding(
      [attributed(at), turn(at)],
      [attributed(at, { user: 'bob' }, 's2'), turn(at, {}, 's2')],
    );
    const one = (await get(ledger, '/v1/totals?metric=pi.usage.records')).json();
    expect(one.rows).toMatchObject([{ metric: 'pi.usage.records', unit: '{record}', amount: '2' }]);
    const split = (await get(ledger, '/v1/totals?metric=pi.usage.records&users=include')).json();
    const users = split.rows.map((row: { attributes: Record<string, string>; amount: string }) => [
      row.attributes['pi.user'],
      row.amount,
    ]);
    expect(Object.fromEntries(users)).toEqual({ ada: '1', bob: '1' });
  });

  it('makes one answer after the other, since each may be very large', async () => {
    const ledger = await homes.holding([attributed(at), turn(at)]);
    const looked = vi.spyOn(ledger.views, 'live');
    const summed = vi.spyOn(ledger.views, 'sum');
    const placesOf = async (times: number) => {
      for (const spy of [looked, summed]) spy.mockClear();
      const asked = Array.from({ length: times }, () => get(ledger, '/v1/totals'));
      for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
      const first = Math.min(...looked.mock.invocationCallOrder);
      return looked.mock.invocationCallOrder.map((order) => order - first);
    };
    const alone = await placesOf(1);
    const calls = looked.mock.calls.length + summed.mock.calls.length;
    expect(await placesOf(3)).toEqual(
      [0, 1, 2].flatMap((before) => alone.map((place) => place + before * calls)),
    );
  });
});

async function withTwo(settings: object = {}): Promise<Guarded> {
  const subject = await guarded.open(settings);
  await offer(subject, [
    attributed(at, { user: 'ada', project: 'shop' }, 'a'),
    turn(at, { costNanoUsd: 1 }, 'a'),
    attributed(at, { user: 'bob', project: 'vault' }, 'b'),
    turn(at, { costNanoUsd: 10 }, 'b'),
  ]);
  return subject;
}

async function costFor(subject: Guarded, token: object): Promise<readonly string[]> {
  const { text } = await subject.make({ user: 'ada', scopes: ['read'], ...token });
  const answer = await subject.ask({ url: '/v1/totals?metric=pi.cost.usd', token: text });
  return JSON.parse(answer.text).rows.map((row: { amount: string }) => row.amount);
}

describe('GET /v1/totals for a token with limits', () => {
  it('has the rows of its user or its projects, and no others', async () => {
    const subject = await withTwo();
    expect(await costFor(subject, {})).toEqual(['0.000000001', '0.00000001']);
    expect(await costFor(subject, { onlyOwn: true })).toEqual(['0.000000001']);
    expect(await costFor(subject, { projects: ['vault'] })).toEqual(['0.00000001']);
  });

  it('is refused where it may only learn of groups', async () => {
    const subject = await withTwo({ minimumUsers: 3 });
    const { text } = await subject.make({ user: 'boss', scopes: ['read'] });
    const answer = await subject.ask({ url: '/v1/totals', token: text });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('scope_missing');
  });
});
