/** What the stores require of every projection. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { budgets } from '../../../collector/projections/budgets.ts';
import { compactions } from '../../../collector/projections/compactions.ts';
import { createContext } from '../../../collector/projections/context.ts';
import { createHeads } from '../../../collector/projections/heads.ts';
import { producers } from '../../../collector/projections/producers.ts';
import type { Projection } from '../../../collector/projections/projection.ts';
import { quota } from '../../../collector/projections/quota.ts';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { createTimings } from '../../../collector/projections/timings.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { createUtilization } from '../../../collector/projections/utilization.ts';
import { createVerified } from '../../../collector/projections/verified.ts';
import { fold } from './support/fold.ts';
import { attributed, event, spendOf, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T11:00:00.000Z';
const given: readonly LedgerEvent[] = [
  attributed(at),
  turn(at),
  turn(later, { costNanoUsd: 20 }),
  event('pi.compaction.completed.v1', { at }),
  event('pi.context.sampled.v1', { at }),
  event('pi.response.received.v1', { at }),
  event('pi.head.observed.v1', { at }),
  event('pi.budget.defined.v1', { at }),
].map((each) => ({ ...each, authenticatedtoken: '5f' }));
const all = { verified: true };

it('has the views that stores keep under these names', () => {
  expect(createProjections(noRules).map(({ name }) => name)).toEqual([
    'sessions',
    'producers',
    'context',
    'compactions',
    'timings',
    'quota',
    'heads',
    'utilization',
    'budgets',
  ]);
  expect(createProjections(noRules, all).map(({ name }) => name)).toEqual([
    ...createProjections(noRules).map(({ name }) => name),
    'verified_sessions',
  ]);
});

/** Created for each test, as on each start of the collector. */
const makers: readonly { readonly name: string; readonly make: () => Projection }[] = [
  { name: 'sessions', make: () => createSessions(noRules) },
  { name: 'verified_sessions', make: () => createVerified(noRules) },
  { name: 'context', make: () => createContext() },
  { name: 'timings', make: () => createTimings(noRules) },
  { name: 'heads', make: () => createHeads(noRules) },
  { name: 'utilization', make: () => createUtilization(noRules) },
  ...[budgets, compactions, producers, quota].map((projection) => ({
    name: projection.name,
    make: (): Projection => projection,
  })),
];

it('asks each of them', () => {
  expect(makers.map(({ name }) => name).toSorted()).toEqual(
    createProjections(noRules, all)
      .map(({ name }) => name)
      .toSorted(),
  );
});

describe.each(makers)('the projection $name', ({ name, make }) => {
  it('has the name that stores keep its view under, and no settings without rules', () => {
    expect(make().name).toBe(name);
    if (name === 'heads')
      expect(make()).toMatchObject({ settings: '[[],[]]', sealing: { cumulative: [] } });
    else if (name === 'timings' || name === 'utilization')
      expect(make()).toMatchObject({ settings: '[[],[]]' });
    else if (name === 'verified_sessions')
      expect(make()).toMatchObject({ settings: '[[],[]]', sealing: { cumulative: [] } });
    else if (name !== 'sessions')
      expect(make()).toMatchObject({ settings: '', rollups: [], sealing: { cumulative: [] } });
  });

  it('says every column of its documents, each of the type that it names', () => {
    const projection = make();
    const [state] = fold(projection, given).states.values();
    const types = Object.entries(projection.columnsOf(state)).map(([name, value]) => [
      name,
      typeof value === 'number' ? 'integer' : 'text',
    ]);
    expect(Object.fromEntries(types)).toEqual(projection.columns);
  });

  it('has indexes of its columns, none of them twice', () => {
    const projection = make();
    const columns = Object.keys(projection.columns);
    expect(projection.indexes.length > 0).toBe(columns.length > 0);
    for (const index of projection.indexes)
      expect(index.filter((name) => columns.includes(name))).toEqual([...new Set(index)]);
    for (const index of projection.indexes) expect(index).not.toEqual([]);
  });

  it('opens documents sealed by this version, and none of an unknown one', () => {
    const projection = make();
    const [state] = fold(projection, given).states.values();
    const body = projection.encode(state);
    const opened = projection.sealing?.open(body, projection.version);
    expect(opened && projection.encode(opened)).toBe(body);
    expect(
      [0, projection.version + 1].map((version) => projection.sealing?.open(body, version)),
    ).toEqual([null, null]);
  });

  it('keeps its documents as text, and takes them back', () => {
    const kept = fold(make(), given, { isReloaded: true }).documents();
    expect(Object.keys(kept)).not.toEqual([]);
    expect(kept).toEqual(fold(make(), given).documents());
  });

  it('has rollups that can be told apart, each row with all of its dimensions', () => {
    const projection = make();
    const names = projection.rollups.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { rollup, dimensions } of fold(projection, given).emitted) {
      expect(projection.rollups).toContain(rollup);
      expect(dimensions).toHaveLength(rollup.dimensions.length);
    }
  });
});

it.each([createTimings, createUtilization])(
  'a session is found by its newest attribution, and by nothing without one (%o)',
  (create) => {
    const projection: Projection = create(noRules) as Projection;
    const columnsOf = (...events: readonly LedgerEvent[]) => {
      const [state] = fold(projection, events).states.values();
      return projection.columnsOf(state ?? projection.initial('s1'));
    };
    expect(columnsOf()).toMatchObject({ project: '', user: '' });
    const [first, second] = [
      attributed(at, { project: 'shop' }),
      attributed(later, { project: 'side', user: 'bob' }),
    ];
    expect(columnsOf(first, second)).toMatchObject({ project: 'side', user: 'bob' });
  },
);

it.each([
  [
    'sessions',
    [
      ...['lastSeenAt', 'project', 'user', 'parentSessionId', 'lastDay'],
      ...['meteredOrder', 'subscriptionOrder', 'unknownOrder'],
    ],
  ],
  ['context', ['session']],
  ['compactions', ['happenedAt', 'session', 'entryId']],
  ['producers', ['lastSeenAt']],
  ['timings', ['project']],
  ['quota', ['toldAt']],
  ['heads', ['branch']],
  ['utilization', ['sampledMinute']],
  ['budgets', ['is', 'is', 'is']],
])('%s can be found by %j without reading all', (name, columns) => {
  const found = makers.find((each) => each.name === name);
  expect(found?.make().indexes.map(([leading]) => leading)).toEqual(columns);
});

describe('history that was sealed', () => {
  const nested = spendOf({ inputTokens: 50, costNanoUsd: 5 });
  const history: readonly LedgerEvent[] = [
    attributed(at, { project: 'shop' }),
    attributed(at, { project: 'site' }),
    attributed(later, { project: 'side' }),
    turn(at, { costNanoUsd: 1 }),
    turn(later, { costNanoUsd: 10 }),
    turn(later, { provider: 'openai', costNanoUsd: Number.MAX_SAFE_INTEGER }),
    event('pi.subagent.claimed.v1', { at }, { claimed: nested }),
    event('pi.attempt.estimated.v1', { at }, { tokensMax: 7 }),
    {
      ...turn(at, { model: 'lost', costNanoUsd: null, costSource: 'unpriced' }),
      ownership: 'named',
    },
  ];
  const without = createSessions(noRules);
  const body = fold(without, history).documents().s1 ?? '';

  function opened(projection: typeof without, version = projection.version) {
    const state = projection.sealing?.open(body, version);
    if (state === undefined || state === null) throw new Error('it is of a version that is known');
    return state;
  }

  function countedBy(projection: typeof without) {
    const rows = new Map<string, bigint[]>();
    projection.sealing?.emit(opened(projection), (rollup, dimensions, measures) => {
      expect(rollup).toBe(usage);
      const sums = rows.get(dimensions.join()) ?? usage.measures.map(() => 0n);
      rows.set(
        dimensions.join(),
        sums.map((sum, index) => sum + BigInt(measures[index] ?? 0)),
      );
    });
    return Object.fromEntries([...rows].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  it('counts what it counted before, in usage alone', () => {
    const rows = fold(without, history).rows(usage, ...usage.dimensions);
    expect(countedBy(without)).toEqual(
      Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, Object.values(row)])),
    );
    expect(without.sealing?.cumulative.map(({ name }) => name)).toEqual(['totals']);
  });

  it('counts under the rules of today', () => {
    const rules = {
      projects: [
        { match: 'shop', as: 'store' },
        { match: 'side', ignore: true as const },
      ],
      billing: {},
      labels: [],
    };
    const keys = Object.keys(countedBy(createSessions(rules)));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !key.includes(',store,'))).toEqual([]);
  });

  it('goes on as if all events were there, also where rules make two attributions one', () => {
    const rules = { projects: [{ match: 's*', as: 'store' }], billing: {}, labels: [] };
    for (const projection of [without, createSessions(rules)]) {
      const more = [
        turn(later, { costNanoUsd: 100 }),
        attributed('2026-11-22T10:30:00.000Z', { project: 'shop' }),
      ];
      const whole = fold(projection, [...history, ...more]);
      const emitted = fold({ ...projection, initial: () => opened(projection) }, more);
      expect(emitted.documents()).toEqual(whole.documents());
      const moved = Object.entries(whole.sums(usage, 'nanoUsd', 'project'));
      const before = fold(projection, history).sums(usage, 'nanoUsd', 'project');
      const change = emitted.sums(usage, 'nanoUsd', 'project');
      expect(moved.map(([name]) => [name, (before[name] ?? 0n) + (change[name] ?? 0n)])).toEqual(
        moved,
      );
    }
  });
});
