import { figuresExample, type UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { expect, test } from 'vitest';
import { asksOf } from '../../../dashboards/web/first-asks.ts';
import { usageOf } from '../../../dashboards/web/views/overview/compared.ts';
import {
  compactionsAsk,
  costliestBy,
  firstDayAsk,
  lastDayAsk,
  partedBy,
  projectsAsk,
  seriesAsk,
  sessionsAsk,
} from '../../../dashboards/web/views/projects/asks.ts';
import { commandOfProject } from '../../../dashboards/web/views/projects/command.ts';
import { costOf, netOf } from '../../../dashboards/web/views/projects/compaction-amounts.ts';
import {
  costScale,
  costTicks,
  scatterOf,
  sessionCosts,
} from '../../../dashboards/web/views/projects/session-costs.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const today = { day: '2026-11-22' };

function spent(meteredUsd: number, more: Partial<UsageRow> = {}): UsageRow {
  return { ...figuresExample, meteredNanoUsd: String(meteredUsd * 1e9), ...more };
}

function queryOf(url: string): URLSearchParams {
  return new URL(url, 'http://page').searchParams;
}

const allReported = {
  ...figuresExample.byBilling,
  metered: { ...figuresExample.byBilling.metered, unreportedRecords: 0 },
};

const allUnpriced = {
  ...figuresExample.byBilling,
  metered: { ...figuresExample.byBilling.metered, unpricedRecords: 3 },
};

test('what all projects ask is narrowed by the scope and goes on from a cursor', () => {
  const place = { view: 'projects', id: null, parameters: { range: '7d', user: 'ada' } } as const;
  const { url } = projectsAsk(place, today, 'NEXT');
  expect(Object.fromEntries(new URL(url, 'http://page').searchParams)).toEqual({
    by: 'project',
    since: '2026-11-16',
    until: '2026-11-22',
    user: 'ada',
    limit: '1000',
    cursor: 'NEXT',
    sessions: 'include',
  });
});

test('a project asks for its own spend, whatever project the scope names', () => {
  const asks = asksOf('/projects/a%2Fb?project=other', now, 'UTC').slice(1);
  expect(asks.length).toBeGreaterThan(5);
  for (const ask of asks) {
    const { searchParams } = new URL(ask, 'http://page');
    expect(searchParams.getAll('project')).toEqual(['a/b']);
  }
});

test('the unknown project asks for what has no project', () => {
  const asks = asksOf('/projects/~', now, 'UTC').slice(1);
  for (const ask of asks) expect(ask).toMatch(/[?&]project=(&|$)/);
});

test('series are asked for by name, the unknown one as the empty name', () => {
  const place = { view: 'projects', id: 'p', parameters: { range: 'year' } } as const;
  const { searchParams } = new URL(
    seriesAsk(place, today, 'branch', ['main', null]).url,
    'http://page',
  );
  expect(searchParams.get('by')).toBe('week,branch');
  expect(searchParams.getAll('branch')).toEqual(['main', '']);
});

test('the costliest sessions are those of all, by the billing that the project has', () => {
  const sortOf = (parameters: Record<string, string>, billing: Billing) =>
    queryOf(sessionsAsk({ view: 'projects', id: 'p', parameters }, today, billing).url);
  expect(sortOf({}, 'metered').get('sort')).toBe('metered');
  expect(sortOf({}, 'subscription').get('sort')).toBe('subscription');
  expect(sortOf({ order: 'newest' }, 'subscription').get('sort')).toBe('newest');
  expect(sortOf({}, 'metered').get('total')).toBe('include');
  const none = { meteredNanoUsd: '0', subscriptionNanoUsd: '0', unknownBillingNanoUsd: '0' };
  const by = (more: Partial<UsageRow>) => costliestBy(spent(0, { ...none, ...more }));
  expect(by({ meteredNanoUsd: '1', subscriptionNanoUsd: '9' })).toBe('metered');
  expect(by({ subscriptionNanoUsd: '1', unknownBillingNanoUsd: '9' })).toBe('subscription');
  expect(by({ unknownBillingNanoUsd: '1' })).toBe('unknown');
  expect(by({})).toBe('metered');
});

test('the compactions of a project are narrowed by the scope', () => {
  const parameters = { range: 'today', model: 'sonnet', tz: 'Asia/Tokyo', 'label:team': 'web' };
  const place = { view: 'projects', id: 'p', parameters } as const;
  expect(Object.fromEntries(queryOf(compactionsAsk(place, today).url))).toEqual({
    since: '2026-11-22',
    until: '2026-11-22',
    project: 'p',
    model: 'sonnet',
    label: 'team=web',
    timezone: 'Asia/Tokyo',
    limit: '1',
  });
});

test('the first and the last day of a project are of all time', () => {
  const place = { view: 'projects', id: 'p', parameters: { range: '7d' } } as const;
  for (const { url } of [firstDayAsk(place), lastDayAsk(place)]) {
    expect([queryOf(url).has('since'), queryOf(url).has('until')]).toEqual([false, false]);
  }
  expect(queryOf(lastDayAsk(place).url).get('lastDay')).toBe('include');
});

test('parts are branches unless something else that is known is chosen', () => {
  const by = (of: string) => partedBy({ view: 'projects', id: 'p', parameters: { of } });
  expect(['commit', 'label:ticket', 'label:', 'session', ''].map(by)).toEqual([
    'commit',
    'label:ticket',
    'branch',
    'branch',
    'branch',
  ]);
});

test('who did not spend before spent nothing, unless the answer had not everybody', () => {
  const rows = [spent(2, { project: 'a' })];
  const of = (next: string | null) =>
    usageOf({
      rows,
      total: spent(2),
      earlier: { rows, total: spent(2), next },
      isCounting: false,
      nameOf: ({ project = null }) => project,
    });
  expect(of(null).before(spent(1, { project: 'a' }))).toBe(rows[0]);
  expect(of(null).before(spent(1, { project: 'b' }))).toBeUndefined();
  expect(of('NEXT').before(spent(1, { project: 'b' }))).toBeNull();
});

test('the command names the project of the path', () => {
  const parameters = { range: '7d', project: 'other' };
  expect(commandOfProject({ view: 'projects', id: "a'b", parameters }, today, 'branch')).toBe(
    'pi-ledger report --by branch --since 2026-11-16 --until 2026-11-22 --project ' +
      String.raw`'a'\''b'`,
  );
});

test('a session has a cost of one kind of billing', () => {
  const costs = sessionCosts([
    spent(4, { user: 'ada', session: 's1' }),
    spent(1, { user: 'ada', session: 's2' }),
    spent(9, { user: 'bob', session: 's3' }),
    spent(0, {
      ...{ user: 'bob', session: 's4', subscriptionNanoUsd: '50000000000' },
      byBilling: allReported,
    }),
    spent(0, { user: 'bob', session: 's5', byBilling: allUnpriced }),
  ]);
  expect(costs.billing).toBe('metered');
  expect(costs.costs.map(({ session }) => session)).toEqual(['s2', 's1', 's3']);
  expect(costs.median).toBe(4);
  expect(costs.people.map(({ user, median }) => [user, median])).toEqual([
    ['bob', 9],
    ['ada', 2.5],
  ]);
  expect(sessionCosts([]).median).toBeNull();
  expect(costs).toMatchObject({ areAtLeast: false, notKnown: 1 });
});

test('a cost that lacks records is at least, and one session has no 95 of 100', () => {
  const session = { user: 'ada', session: 's1' };
  const partial = sessionCosts([spent(4, { ...session, byBilling: allUnpriced })]);
  expect(partial).toMatchObject({ areAtLeast: true, notKnown: 0, median: 4, most: null });
  const silent = spent(0, { session: 's2', unreportedRecords: 2 });
  expect(sessionCosts([spent(4, session), silent]).notKnown).toBe(1);
  const two = [spent(4, session), spent(1, { ...session, session: 's2' })];
  expect(sessionCosts(two).most).toBeCloseTo(3.85);
});

test('only without metered sessions are those of a subscription drawn', () => {
  const row = spent(0, { user: null, session: 's1', subscriptionNanoUsd: '5000000000' });
  expect(sessionCosts([row])).toMatchObject({ billing: 'subscription', median: 5 });
});

test('costs stand on a scale with round ends and few ticks', () => {
  const cost = (nanoUsd: bigint) => ({ session: 's', user: null, nanoUsd });
  const scale = costScale([cost(60_000_000n), cost(6_440_000_000n)], 100);
  expect(scale.domain()).toEqual([0.05, 10]);
  expect(costTicks(scale.domain())).toEqual([0.1, 1, 10]);
  expect(costTicks([0.5, 10])).toEqual([0.5, 1, 5, 10]);
  expect(costTicks([0.001, 10_000]).length).toBeLessThanOrEqual(5);
});

test('a session stands at the same place every time', () => {
  const places = ['01a1c95d', '01a1ac32', '01a1a5a2'].map(scatterOf);
  expect(new Set(places).size).toBe(3);
  expect(places).toEqual(['01a1c95d', '01a1ac32', '01a1a5a2'].map(scatterOf));
  for (const place of places) expect(Math.abs(place)).toBeLessThanOrEqual(1);
});

const summaries = {
  costNanoUsd: '5',
  summaries: 2,
  unreportedCosts: 0,
  cacheMissNanoUsd: '0',
  unknownCacheMisses: 0,
  netNanoUsd: '7',
  nets: 2,
  upperBoundNets: 0,
  unknownNets: 0,
};

test('summaries without a cost make it at least, or not known; their net at most', () => {
  expect(costOf(summaries)).toEqual({ nanoUsd: 5n, mark: 'exact' });
  expect(costOf({ ...summaries, unreportedCosts: 1 }).mark).toBe('atLeast');
  expect(costOf({ ...summaries, unreportedCosts: 2 }).nanoUsd).toBeNull();
  expect(netOf({ ...summaries, upperBoundNets: 1 })).toEqual({ nanoUsd: 7n, mark: 'atMost' });
  expect(netOf({ ...summaries, nets: 0 }).nanoUsd).toBeNull();
});
