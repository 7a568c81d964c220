/**
 * Every question to a ledger: all routes of answers with all groupings, filters, orders, periods
 * and time zones, about what the ledger has.
 */
import { groupings } from '@pi-ledger/contract/groupings';
import { rowDimensions } from '@pi-ledger/contract/row-dimensions';
import { catalogue } from '../../collector/support/two-people.ts';
import type { Facts } from './facts.ts';
import type { Asked } from './ledger.ts';

const zones = ['Asia/Kolkata', 'America/St_Johns'];

export function questionsOn(facts: Facts): readonly Asked[] {
  const urls = [
    ...usage(facts),
    ...rows(facts),
    ...sessionLists(facts),
    ...facts.sessions.flatMap((id) => single(id, facts)),
    ...compactions(facts),
    ...timings(facts),
    ...others(facts),
  ];
  return [
    ...[...new Set(urls)].map((url) => ({ url })),
    ...reprices(facts).map((query) => ({ url: `/v1/reprice?${query}`, body: catalogue })),
  ];
}

/** Days in the middle, and an hour of one. */
function periods({ days }: Facts): readonly string[] {
  const [from = '', to = ''] = [
    days[Math.floor(days.length / 3)],
    days[Math.floor((2 * days.length) / 3)],
  ];
  return from === ''
    ? []
    : [
        `since=${from}&until=${to}`,
        `until=${to}T09:00:00Z`,
        `since=${from}T13:00:00Z&until=${to}T17:00:00Z`,
      ];
}

/** One value of each, and two of one; the empty one is what nobody knows. */
function filters({ names, labels }: Facts): readonly string[] {
  return [
    ...Object.entries(names).flatMap(([name, [one = '', two = '']]) => [
      `${name}=${encodeURIComponent(one)}`,
      `${name}=${encodeURIComponent(one)}&${name}=${encodeURIComponent(two)}`,
      `${name}=`,
    ]),
    ...labels.map((label) => `label=${encodeURIComponent(label)}`),
    ...labels.slice(0, 1).map((label) => `label=${encodeURIComponent(`${label.split('=')[0]}=`)}`),
  ];
}

function usage(facts: Facts): readonly string[] {
  const keys = new Set(facts.labels.map((label) => `label:${label.split('=')[0]}`));
  const single = [...groupings, ...keys];
  const pairs = single.flatMap((by, at) => [
    `${by},${single[(at + 5) % single.length]}`,
    `${by},${single[(at + 11) % single.length]},day`,
  ]);
  return [
    ...single.flatMap((by) => [
      `by=${by}`,
      `by=${by}&limit=3`,
      `by=${by}&sessions=include`,
      `by=${by}&lastDay=include`,
      `by=${by}&format=csv`,
      `by=${by}&timezone=${zones[0]}`,
      ...periods(facts).map((period) => `by=${by}&${period}`),
      ...periods(facts).map((period) => `by=${by}&${period}&timezone=${zones[1]}`),
    ]),
    ...pairs.map((by) => `by=${by}&limit=5`),
    ...filters(facts).flatMap((filter) => [
      `${filter}`,
      `${filter}&by=model,day`,
      `${filter}&by=tree&sessions=include`,
      `${filter}&by=commit&timezone=${zones[0]}`,
    ]),
    ...facts.sessions.slice(0, 4).map((id) => `session=${encodeURIComponent(id)}&by=kind`),
  ].map((query) => `/v1/usage?${query}`);
}

function rows(facts: Facts): readonly string[] {
  const all = rowDimensions.map((by) => `by=${by}`).join('&');
  return [
    all,
    `${all}&limit=7`,
    `${all}&format=ndjson`,
    ...rowDimensions.map((by) => `by=${by}&limit=50`),
    ...periods(facts).map((period) => `by=project&by=user&${period}`),
    ...filters(facts)
      .filter((filter) => !filter.startsWith('label'))
      .map((filter) => `by=model&${filter}`),
  ].map((query) => `/v1/usage/rows?${query}`);
}

function sessionLists(facts: Facts): readonly string[] {
  const sorts = ['newest', 'metered', 'subscription', 'unknown'].map((sort) => `sort=${sort}`);
  return [
    ...sorts.flatMap((sort) => [
      sort,
      `${sort}&limit=4&total=include`,
      `${sort}&timezone=${zones[0]}`,
      ...periods(facts).map((period) => `${sort}&${period}&total=include`),
    ]),
    'ignored=include',
    'context=include&limit=20',
    'format=csv',
    ...filters(facts).flatMap((filter) => [
      `${filter}&total=include`,
      `${filter}&sort=metered&limit=6`,
    ]),
    ...facts.sessions.map((id) => `tree=${encodeURIComponent(id)}`),
  ].map((query) => `/v1/sessions?${query}`);
}

function single(session: string, { days }: Facts): readonly string[] {
  const id = encodeURIComponent(session);
  return [
    `/v1/sessions/${id}`,
    `/v1/sessions/${id}/timeline`,
    ...['costliest', 'failed', 'misses'].map((only) => `/v1/sessions/${id}/timeline?only=${only}`),
    `/v1/context/${id}`,
    `/v1/context/${id}?points=10`,
    `/v1/context/${id}/series`,
    `/v1/compactions?session=${id}`,
    `/v1/agent?session=${id}&day=${days.at(-1) ?? '2026-11-22'}`,
  ];
}

function compactions(facts: Facts): readonly string[] {
  return [
    ...[
      ...['', 'limit=2', 'ignored=include', 'net=negative', 'regret=some', 'cost=unreported'],
      ...['kind=compaction', 'kind=branchSummary', 'kind=failure', 'trigger=manual', 'trigger='],
      ...['format=csv', `timezone=${zones[0]}`, 'session=last'],
      ...periods(facts),
      ...filters(facts).filter((filter) => !filter.startsWith('kind')),
    ].map((query) => `/v1/compactions?${query}`),
    ...facts.compactions.flatMap((id) => [
      `/v1/compactions/${id}`,
      `/v1/compactions/${id.slice(0, 20)}`,
    ]),
    '/v1/compactions/0',
  ];
}

function timings(facts: Facts): readonly string[] {
  const own = ['project', 'user', 'host'];
  const known = filters(facts).filter((filter) =>
    own.some((name) => filter.startsWith(`${name}=`)),
  );
  const days = periods(facts).slice(0, 1);
  return [
    ...['models', 'models/days', 'tools', 'tools/costs', 'tools/models', 'runs'].flatMap((route) =>
      ['', 'limit=2', 'format=csv', ...known, ...days].map((query) => `/v1/${route}?${query}`),
    ),
    ...['user', 'host', 'outcome'].map((by) => `/v1/runs?by=${by}`),
    ...filters(facts)
      .filter((filter) => /^(provider|model)=/.test(filter))
      .map((filter) => `/v1/models?${filter}`),
  ];
}

function others(facts: Facts): readonly string[] {
  const people = facts.names.user ?? [];
  const projects = facts.names.project ?? [];
  const ofScope = [
    ...people.slice(0, 2).map((user) => `user=${encodeURIComponent(user)}`),
    ...projects.slice(0, 2).map((project) => `project=${encodeURIComponent(project)}`),
  ];
  const last = facts.days.at(-1) ?? '2026-11-22';
  return [
    ...['', ...ofScope].flatMap((scope) => [
      `/v1/budgets?${scope}`,
      `/v1/budgets/crossings?${scope}`,
      `/v1/insights?${scope}`,
      `/v1/insights?${scope}&since=${facts.days[0] ?? last}&until=${last}`,
      `/v1/requests?${scope}`,
      `/v1/requests?${scope}&only=failed&timezone=${zones[0]}`,
      `/v1/producers?${scope.startsWith('user') ? scope : ''}`,
    ]),
    ...['limit=3', 'format=csv', ...(facts.names.machine ?? []).map((name) => `machine=${name}`)]
      .slice(0, 5)
      .map((query) => `/v1/producers?${query}`),
    '/v1/budgets/crossings?limit=2',
    '/v1/quota',
    '/v1/quota/history',
    '/v1/quota/history?by=user',
    '/v1/totals',
    '/v1/totals?users=include',
    '/metrics',
    '/v1/standing',
    '/v1/sessions/last',
    '/v1/context/last',
    severalAt([`/v1/usage?by=model&until=${last}`, '/v1/sessions?limit=5', '/v1/sessions/none']),
  ];
}

/** Asked in one request. */
function severalAt(asks: readonly string[]): string {
  return `/v1/answers?${asks.map((ask) => `ask=${encodeURIComponent(ask)}`).join('&')}`;
}

function reprices(facts: Facts): readonly string[] {
  return [
    ...['project', 'model', 'session', 'tree', 'commit', 'day', 'user,kind'].map(
      (by) => `by=${by}`,
    ),
    ...periods(facts).map((period) => `by=model&${period}`),
    ...filters(facts).slice(0, 6),
  ];
}
