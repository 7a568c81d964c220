/** How budgets stand, as the API answers it; and to whom. */
import type {
  AgentOverview,
  BudgetCrossingList,
  BudgetList,
  Usage,
} from '@pi-ledger/contract/answers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, type NamedBudget } from '../../../../collector/answers/budgets/definition.ts';
import { attributed, event, turn } from '../../projections/support/given.ts';
import { budget, look } from '../../roles/budgets/support.ts';
import { errorsIn } from '../../support/contract-check.ts';
import { type Guarded, guardedLedgers, startMs } from '../../support/guarded.ts';
import { offer } from '../../support/two-people.ts';

const guarded = guardedLedgers();
const hourMs = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const at = iso(startMs - hourMs);

async function ask<Answer>(
  subject: Guarded,
  url: string,
  token = subject.machineToken,
): Promise<Answer> {
  const { status, text } = await subject.ask({ url, token });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}

describe('what is used of a budget', () => {
  it('is what the report says of its period, filters and zone, to the nano-dollar', async () => {
    const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'];
    const wishes = [{ project: 'shop' }, { user: 'bob' }, { model: 'opus' }, {}] as const;
    const budgets = zones.flatMap((timeZone) =>
      wishes.flatMap((scope) =>
        (['day', 'week', 'month'] as const).map((per) =>
          budget(JSON.stringify([timeZone, scope, per]), { ...scope, per, timeZone }),
        ),
      ),
    );
    const subject = await guarded.open({ budgets });
    const random = fc.sample(fc.tuple(fc.nat(40 * 24 * 60), fc.nat(9_999_999), fc.nat(3)), 120);
    await offer(subject, [
      attributed(iso(startMs - 50 * 24 * hourMs), { user: 'ada' }, 'a0'),
      attributed(iso(startMs - 50 * 24 * hourMs), { user: 'bob', project: 'docs' }, 'a1'),
      ...random.map(([minutes, costNanoUsd, kind]) =>
        turn(
          iso(startMs - minutes * 60_000),
          { costNanoUsd, model: kind > 1 ? 'opus' : 'sonnet' },
          `a${kind % 2}`,
        ),
      ),
    ]);
    const { rows } = await ask<BudgetList>(subject, '/v1/budgets');
    expect(rows).toHaveLength(budgets.length);
    for (const { name, period, used, unit, timeZone } of rows) {
      const [, scope] = JSON.parse(name);
      const query = new URLSearchParams({ ...scope, timezone: timeZone });
      const dayIn = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone });
      query.set('since', dayIn(Date.parse(period?.start ?? '')));
      query.set('until', dayIn(Date.parse(period?.end ?? '') - 1));
      const { total } = await ask<Usage>(subject, `/v1/usage?${query}`);
      expect([name, amountOf(used ?? '', unit)]).toEqual([name, BigInt(total.meteredNanoUsd)]);
    }
  });

  it('is a share of a limit that is raised, and the answer says until when', async () => {
    const until = (raisedUntil: string) => ({ raisedTo: '0.000002', raisedUntil });
    const subject = await guarded.open({
      budgets: [
        budget('now', { per: 'month', ...until(iso(startMs).slice(0, 10)) }),
        budget('before', { per: 'month', ...until(iso(startMs - 24 * hourMs).slice(0, 10)) }),
      ],
    });
    await offer(subject, [attributed(at, {}, 'a'), turn(at, { costNanoUsd: 1_000 }, 'a')]);
    const { rows } = await ask<BudgetList>(subject, '/v1/budgets');
    expect(
      rows.map(({ name, limit, raised, usedShare, state }) => [
        ...[name, limit, raised, usedShare, state],
      ]),
    ).toEqual([
      ['before', '0.000001', null, 1, 'over'],
      [
        ...['now', '0.000002'],
        { until: iso(startMs).slice(0, 10), usualLimit: '0.000001' },
        ...[0.5, 'ok'],
      ],
    ]);
  });

  it('of a window is what its provider tells, and when it reaches the limit', async () => {
    const nothing = { limit: null, remaining: null, status: null };
    const said = (utilization: number, user: string) => [
      attributed(iso(startMs - 3 * hourMs), { user }, user),
      event(
        'pi.response.received.v1',
        { at: iso(startMs), session: user },
        {
          provider: 'anthropic',
          limits: [
            { window: 'unified-5h', utilization, resetAtMs: startMs + 3 * hourMs + 7, ...nothing },
          ],
        },
      ),
    ];
    const wish = { per: '5h window', unit: 'percent', limit: '50' } as const;
    const budgets = [budget('any', wish), budget('ada', { ...wish, user: 'ada' })];
    const subject = await guarded.open({ budgets });
    await offer(subject, [...said(0.3, 'ada'), ...said(0.42, 'bob')]);
    const { rows } = await ask<BudgetList>(subject, '/v1/budgets');
    const period = { start: iso(startMs - 2 * hourMs), end: iso(startMs + 3 * hourMs) };
    expect(rows).toMatchObject([
      { name: 'ada', used: '30', usedShare: 0.6, state: 'ok', period },
      { name: 'any', used: '42', usedShare: 0.84, state: 'warning', period, forecast: null },
    ]);
    // 30 percent in two hours: 50 after 80 minutes more.
    expect(Math.abs(Date.parse(rows[0]?.fullAt ?? '') - startMs - 80 * 60_000)).toBeLessThan(1_000);
  });

  it('and of no window that is known is n/a', async () => {
    const wish = { per: 'week window', unit: 'percent', limit: '50' } as const;
    const subject = await guarded.open({ budgets: [budget('plan', wish)] });
    expect((await ask<BudgetList>(subject, '/v1/budgets')).rows).toMatchObject([
      { used: null, usedShare: null, state: null, period: null, noForecast: expect.any(String) },
    ]);
  });
});

const shop = budget('shop', { project: 'shop' });
const vault = budget('vault', { project: 'vault', user: 'ada' });
const own = budget('own', { user: 'ada' });
const all: readonly NamedBudget[] = [shop, vault, own, budget('all')];

async function crossed(minimumUsers = 0): Promise<Guarded> {
  const subject = await guarded.open({ budgets: all, minimumUsers });
  await offer(subject, [
    attributed(at, { user: 'ada' }, 'a'),
    attributed(at, { user: 'ada', project: 'vault' }, 'b'),
    turn(at, { costNanoUsd: 900 }, 'a'),
    turn(at, { costNanoUsd: 5_000 }, 'b'),
  ]);
  await look(subject.ledger, all, at);
  await offer(subject, [turn(at, { costNanoUsd: 200 }, 'a')]);
  await look(subject.ledger, all, iso(startMs));
  return subject;
}

describe('who is told of budgets', () => {
  it.each<[string, { onlyOwn?: boolean; projects?: string[]; scopes?: string[] }, string[]]>([
    ['an administrator of all', { scopes: ['admin'] }, ['all', 'own', 'shop', 'vault']],
    ['a token for its own user of that user’s', { onlyOwn: true }, ['own', 'vault']],
    ['a token for projects of those', { projects: ['shop'] }, ['shop']],
  ])('%s', async (_who, wish, names) => {
    const subject = await crossed();
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], ...wish });
    const { rows } = await ask<BudgetList>(subject, '/v1/budgets', text);
    expect(rows.map(({ name }) => name)).toEqual(names);
    const list = await ask<BudgetCrossingList>(subject, '/v1/budgets/crossings', text);
    expect([...new Set(list.rows.map(({ budget: name }) => name))].toSorted()).toEqual(names);
  });

  it('who may read all, of those that do not hold; others, that there are some', async () => {
    const subject = await guarded.open({ budgetsLeftOut: ['"late" is left out'] });
    const told = async (wish: { onlyOwn?: boolean; projects?: string[] }) => {
      const { text } = await subject.make({ user: 'ada', scopes: ['read'], ...wish });
      const { leftOut } = await ask<BudgetList>(subject, '/v1/budgets', text);
      const agent = '/v1/agent?session=s1&day=2026-11-22';
      const { budgetsLeftOut } = await ask<AgentOverview>(subject, agent, text);
      expect(budgetsLeftOut).toEqual(leftOut);
      return leftOut;
    };
    expect(await told({})).toEqual(['"late" is left out']);
    const some = [expect.stringMatching(/^some budgets of this ledger are left out/)];
    expect(await told({ onlyOwn: true })).toEqual(some);
    expect(await told({ projects: ['shop'] })).toEqual(some);
  });

  it('nobody who is told of large groups only', async () => {
    const subject = await crossed(3);
    const { text } = await subject.make({ user: 'ada', scopes: ['read'] });
    for (const url of ['/v1/budgets', '/v1/budgets/crossings'])
      expect((await subject.ask({ url, token: text })).status).toBe(403);
  });
});

describe('GET /v1/budgets/crossings', () => {
  it('lists them newest first, page by page, by budget and time', async () => {
    const subject = await crossed();
    const list = (query: string) =>
      ask<BudgetCrossingList>(subject, `/v1/budgets/crossings?${query}`);
    const said = ({ rows }: BudgetCrossingList) =>
      rows.map(({ budget: name, number, to }) => `${name} ${number} ${to}`);
    const whole = await list('');
    expect(said(whole)[0]).toBe('shop 2 over');
    expect(said(whole).toSorted()).toEqual([
      ...['all 1 over', 'own 1 over', 'shop 1 warning', 'shop 2 over', 'vault 1 over'],
    ]);
    const paged: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: BudgetCrossingList = await list(`limit=2${next && `&cursor=${next}`}`);
      paged.push(...said(page));
      next = page.next;
    }
    expect(paged).toEqual(said(whole));
    expect(said(await list('budget=shop'))).toEqual(['shop 2 over', 'shop 1 warning']);
    expect(said(await list(`since=${iso(startMs)}`))).toEqual(['shop 2 over']);
    expect(said(await list('project='))).toEqual(['own 1 over', 'all 1 over']);
    const { rows } = await ask<BudgetList>(subject, '/v1/budgets?project=shop');
    expect(rows).toMatchObject([{ crossings: [{ number: 1 }, { number: 2, to: 'over' }] }]);
    expect(
      (await subject.ask({ url: '/v1/budgets/crossings?cursor=x', token: subject.machineToken }))
        .status,
    ).toBe(400);
  });
});

it('a notice by forecast is a crossing, in every answer; the budget is ok as before', async () => {
  const wish = { per: 'month', limit: '0.00000295' } as const;
  const likely = budget('shop', { ...wish, project: 'shop', warnByForecast: true });
  const subject = await guarded.open({ budgets: [likely] });
  const daysAgo = (days: number) => iso(startMs - days * 24 * hourMs - hourMs);
  const days = Array.from({ length: 28 }, (_, index) => index + 1);
  await offer(subject, [
    attributed(daysAgo(29)),
    ...days.map((day) => turn(daysAgo(day), { costNanoUsd: 100 })),
  ]);
  await look(subject.ledger, [likely], iso(startMs));
  await subject.ledger.subscription.catchUp();
  const amount = '0.000003';
  const forecast = {
    low: amount,
    middle: amount,
    high: amount,
    fullAt: '2026-11-30T12:00:00.000Z',
  };
  const crossing = { number: 1, from: 'ok', to: 'forecast', forecast, isFirst: true };
  const list = await ask<BudgetList>(subject, '/v1/budgets');
  const stands = { state: 'ok', warnByForecast: true, crossings: [crossing] };
  expect(list.rows).toMatchObject([stands]);
  const crossings = await ask<BudgetCrossingList>(subject, '/v1/budgets/crossings');
  expect(crossings.rows).toMatchObject([{ budget: 'shop', ...crossing }]);
  const agent = await ask<AgentOverview>(subject, '/v1/agent?session=s1&day=2026-11-22');
  expect(agent.budgets).toMatchObject([stands]);
  expect(errorsIn('GET /v1/budgets', list)).toEqual([]);
  expect(errorsIn('GET /v1/budgets/crossings', crossings)).toEqual([]);
  expect(errorsIn('GET /v1/agent', agent)).toEqual([]);
  const { text } = await subject.ask({ url: '/metrics', token: subject.machineToken });
  expect(text).toMatch(/^pi_budget_state\{pi_budget_name="shop",[^}]*\} 0$/m);
  expect(text.includes('forecast')).toBe(false);
});
