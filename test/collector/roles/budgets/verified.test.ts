/**
 * Budgets that count verified senders only, on a collector that requires no tokens: what a program
 * without one does to them, and what the holder of another token does.
 */
import type { AgentOverview, Budget, BudgetList } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { guardedLedgers, startMs } from '../../support/guarded.ts';
import { batchType } from '../../support/ledger.ts';
import { budget } from './support.ts';

const guarded = guardedLedgers();
const iso = (ms: number) => new Date(ms).toISOString();
const shop = { project: 'shop', per: 'month', limit: '100', endsHeadlessRuns: true } as const;
const budgets = [
  budget('all', shop),
  budget('verified', { ...shop, verifiedOnly: true }),
  budget('in Kolkata', { ...shop, verifiedOnly: true, timeZone: 'Asia/Kolkata' }),
];
const dollar = 1e9;

type Answer = Record<string, unknown>;

async function start() {
  const subject = await guarded.open({ auth: 'optional', budgets });
  const { machineToken, ledger } = subject;
  const at = iso(startMs - 3_600_000);
  async function post(url: string, body: object, token?: string): Promise<Answer> {
    const headers: Record<string, string> = url === '/v1/log' ? { 'content-type': batchType } : {};
    const asked = { method: 'POST', url, body, token, headers, from: '127.0.0.1' };
    return JSON.parse((await subject.ask(asked)).text);
  }
  async function get<Found>(url: string): Promise<Found> {
    await ledger.parts.subscription.catchUp();
    return JSON.parse((await subject.ask({ url, token: machineToken })).text);
  }
  const send = async (events: readonly object[], token?: string) =>
    expect(await post('/v1/events', events, token)).toMatchObject({ accepted: events.length });
  const stands = async () => {
    const { rows } = await get<BudgetList>('/v1/budgets');
    return Object.fromEntries(rows.map((row) => [row.name, row]));
  };
  const token = await subject.make({ user: 'ada', scopes: ['ingest'] });
  await send(
    [attributed(at, {}, 'ada'), turn(at, { costNanoUsd: 10 * dollar }, 'ada')],
    token.text,
  );
  return { ...subject, at, token, post, get, send, stands };
}

const figuresOf = ({ used, state, unverified }: Partial<Budget> = {}) => [
  Number(used),
  state,
  unverified && [Number(unverified.used), unverified.records],
];

describe('a budget that counts verified senders only', () => {
  it('is not moved by what came without a token, and says what it leaves out', async () => {
    const { at, send, stands, get } = await start();
    const before = await stands();
    expect(before.all).toMatchObject({ verifiedOnly: false, unverified: null });
    for (const name of ['verified', 'in Kolkata'])
      expect(figuresOf(before[name])).toEqual([10, 'ok', [0, 0]]);
    await send([
      turn(at, { costNanoUsd: 200 * dollar }, 'ada'),
      attributed(at, {}, 'forged'),
      turn(at, { costNanoUsd: 300 * dollar }, 'forged'),
    ]);
    const after = await stands();
    expect(figuresOf(after.all)).toEqual([510, 'over', null]);
    for (const name of ['verified', 'in Kolkata']) {
      expect(figuresOf(after[name])).toEqual([10, 'ok', [500, 2]]);
      expect(after[name]).toMatchObject({ verifiedOnly: true, isAtLeast: false });
    }
    const { budgets: told } = await get<AgentOverview>('/v1/agent?session=ada&day=2026-11-22');
    expect(told.map(({ name, state }) => [name, state])).toEqual([
      ['all', 'over'],
      ['in Kolkata', 'ok'],
      ['verified', 'ok'],
    ]);
  });

  it('does not go down by what came without a token either', async () => {
    const { at, post, send, stands } = await start();
    await send([
      attributed(iso(startMs - 3_580_000), { project: 'docs', user: 'eve' }, 'ada'),
      event('pi.session.labelled.v1', { at, session: 'ada' }, { labels: { team: 'x' } }),
    ]);
    const label = { project: 'docs', set: { team: 'x' }, since: '2026-01-01' };
    await post('/v1/labels', label);
    const { all, verified } = await stands();
    expect(Number(all?.used)).toBe(0);
    expect(figuresOf(verified)).toEqual([10, 'ok', [0, 0]]);
    const taken = { session: 'ada', reason: 'nobody spent that' };
    expect(await post('/v1/withdrawals', taken)).toMatchObject({ code: 'scope_missing' });
    expect(figuresOf((await stands()).verified)).toEqual([10, 'ok', [0, 0]]);
  });

  it('is moved by an export only where its importer has a token', async () => {
    const { at, token, machineToken, post, stands } = await start();
    const spent = turn(at, { costNanoUsd: 200 * dollar }, 'ada');
    const claimed = [{ ...spent, authenticatedtoken: token.id }];
    for (const path of ['/v1/events', '/v1/log'])
      expect(await post(path, claimed)).toMatchObject({
        accepted: 0,
        rejected: [{ field: '/authenticatedtoken' }],
      });
    const { rejected } = await post('/v1/dead-letters/retry', {});
    expect(rejected).toBe(2);
    expect(figuresOf((await stands()).verified)).toEqual([10, 'ok', [0, 0]]);
    expect(await post('/v1/log', claimed, machineToken)).toMatchObject({ accepted: 1 });
    expect(figuresOf((await stands()).verified)).toEqual([210, 'over', [0, 0]]);
  });

  it('is moved by another token’s holder with nothing but what that one sends', async () => {
    const { at, make, send, stands } = await start();
    const eve = (await make({ user: 'eve', scopes: ['ingest'] })).text;
    await send([attributed(at, { project: 'docs' }, 'ada')], eve);
    expect(figuresOf((await stands()).verified)).toEqual([10, 'ok', [0, 0]]);
    // Reports have it in Ada's project, but Eve's token says that it is not.
    await send([turn(at, { costNanoUsd: 90 * dollar }, 'ada')], eve);
    expect(figuresOf((await stands()).verified)).toEqual([10, 'ok', [90, 1]]);
    await send([attributed(at, {}, 'eve'), turn(at, { costNanoUsd: 90 * dollar }, 'eve')], eve);
    expect(figuresOf((await stands()).verified)).toEqual([100, 'over', [90, 1]]);
  });
});
