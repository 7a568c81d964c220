/** What the projection `utilization` counts, event by event. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import {
  totalCompacted,
  totalCompactions,
  totalUtilization,
} from '../../../collector/projections/utilization/totals.ts';
import { createUtilization, utilization } from '../../../collector/projections/utilization.ts';
import { fold } from './support/fold.ts';
import { attributed, event, spendOf, turn } from './support/given.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 10, minute)).toISOString();

function sampled(data: Partial<EventData<'pi.context.sampled.v1'>>): LedgerEvent {
  const known = { provider: 'anthropic', model: 'sonnet', source: 'provider' as const };
  return event('pi.context.sampled.v1', { at: at(1) }, { ...known, ...data });
}

/** Those that are not zero, by row. */
function counted(given: readonly LedgerEvent[], rollup = totalCompacted, rules = noRules) {
  const rows = fold(createUtilization(rules), [attributed(at(0)), ...given]).rows(
    rollup,
    ...rollup.dimensions,
  );
  return Object.fromEntries(
    Object.entries(rows).map(([row, measures]) => [
      row,
      Object.fromEntries(
        Object.entries(measures)
          .filter(([, amount]) => amount !== 0n)
          .map(([name, amount]) => [name, Number(amount)]),
      ),
    ]),
  );
}

describe('how full windows were', () => {
  it.each([
    [0, { share0: 1 }],
    [1, { sharePpm: 5, share0: 1 }],
    [20_000, { sharePpm: 100_000, share0: 1 }],
    [20_001, { sharePpm: 100_005, share1: 1 }],
    [200_000, { sharePpm: 1_000_000, share10: 1 }],
    [200_001, { sharePpm: 1_000_005, share11: 1 }],
    [Number.MAX_SAFE_INTEGER, { sharePpm: 1_000_000_000, share11: 1 }],
  ])('%i of 200,000 tokens', (tokens, expected) => {
    const given = [sampled({ tokens, windowTokens: 200_000 })];
    expect(counted(given, totalUtilization)).toEqual({ 'shop,ada,pi,anthropic,sonnet': expected });
  });

  it('adds up by model, one that is not known too', () => {
    const half = { tokens: 50, windowTokens: 100 };
    const given = [sampled(half), sampled(half), sampled({ ...half, provider: null, model: null })];
    expect(counted(given, totalUtilization)).toEqual({
      'shop,ada,pi,,': { sharePpm: 500_000, share4: 1 },
      'shop,ada,pi,anthropic,sonnet': { sharePpm: 1_000_000, share4: 2 },
    });
  });

  it.each([
    ['an estimate', { tokens: 5, windowTokens: 10, source: 'estimate' as const }],
    ['a window that is not known', { tokens: 5, windowTokens: null }],
    ['a window of nothing', { tokens: 5, windowTokens: 0 }],
    ['tokens that are not known', { tokens: null, windowTokens: 10 }],
  ])('leaves out %s', (_, data) => {
    const sample = sampled(data);
    expect(utilization.key({ position: 1, receivedAtMs: 0, event: sample })).toBeNull();
    expect(counted([sample], totalUtilization)).toEqual({});
  });

  it('leaves out ignored projects', () => {
    const rules = { ...noRules, projects: [{ match: 'shop', ignore: true as const }] };
    const given = [sampled({ tokens: 5, windowTokens: 10 })];
    expect(counted(given, totalUtilization, rules)).toEqual({});
    const { states } = fold(createUtilization(rules), [attributed(at(0)), ...given]);
    const [state] = states.values();
    expect(state && createUtilization(rules).columnsOf(state).sampledMinute).toBe(0);
  });
});

describe('compactions', () => {
  const completed = (minute: number, entryId: string, tokensBefore: number | null = null) =>
    event('pi.compaction.completed.v1', { at: at(minute) }, { entryId, tokensBefore });
  const timed = (
    minute: number,
    entryId: string | null,
    trigger: 'manual' | 'threshold' | null,
    durationMs: number | null = null,
  ) => event('pi.compaction.timed.v1', { at: at(minute) }, { entryId, trigger, durationMs });
  const failed = (aborted: boolean, trigger: 'overflow' | null = null) =>
    event('pi.compaction.failed.v1', { at: at(1) }, { aborted, trigger });

  it('count under the trigger that was told of their entry before', () => {
    const given = [
      timed(1, 'c1', 'manual'),
      timed(1, 'c2', 'threshold'),
      timed(1, null, 'manual'),
      timed(1, 'c3', null),
      completed(2, 'c1'),
      completed(3, 'c2'),
      completed(4, 'c3'),
    ];
    expect(counted(given, totalCompactions)).toEqual({
      'shop,ada,pi,,completed': { compactions: 1 },
      'shop,ada,pi,manual,completed': { compactions: 1 },
      'shop,ada,pi,threshold,completed': { compactions: 1 },
    });
    expect(fold(utilization, given).states.get('s1')?.triggers).toEqual([
      [at(1), 'c1', 'manual'],
      [at(1), 'c2', 'threshold'],
    ]);
  });

  it('know the trigger of the newest fifty, whatever order they were told in', () => {
    const told = Array.from({ length: 51 }, (_, index) => timed(index, `c${index}`, 'manual'));
    for (const given of [told, told.toReversed()])
      expect(
        counted([...given, completed(60, 'c0'), completed(60, 'c1')], totalCompactions),
      ).toEqual({
        'shop,ada,pi,,completed': { compactions: 1 },
        'shop,ada,pi,manual,completed': { compactions: 1 },
      });
  });

  it('that failed or were ended count apart', () => {
    expect(counted([failed(false), failed(true, 'overflow')], totalCompactions)).toEqual({
      'shop,ada,pi,,failed': { compactions: 1 },
      'shop,ada,pi,overflow,aborted': { compactions: 1 },
    });
  });

  it('take as long as their host says', () => {
    const given = [timed(1, 'c1', 'manual', 1_500), timed(1, null, null, 2_500)];
    const rows = counted(given, totalCompactions);
    expect(Object.keys(rows)).toEqual(['shop,ada,pi,,completed', 'shop,ada,pi,manual,completed']);
    expect(Object.values(rows).map((row) => Object.values(row))).toEqual([
      [2_500_000, 1],
      [1_500_000, 1],
    ]);
  });

  it('begin with so many tokens', () => {
    const given = [completed(1, 'c1', 1_000), completed(2, 'c2', 1_001), completed(3, 'c3')];
    expect(counted(given)).toEqual({
      'shop,ada,pi': { tokensBefore: 2_001, before0: 1, before1: 1 },
    });
  });

  it('are followed by a first answer, once, with what was sent for it', () => {
    const sent = { inputTokens: 400, cacheReadTokens: 500, cacheWriteTokens: 200 };
    const given = [
      turn(at(1), { inputTokens: 9_000 }),
      completed(2, 'c1'),
      turn(at(2), { inputTokens: 8_000 }),
      turn(at(3), sent),
      turn(at(4), { inputTokens: 7_000 }),
      completed(5, 'c2'),
      turn(at(6), { inputTokens: 100 }),
    ];
    expect(counted(given)).toEqual({ 'shop,ada,pi': { tokensAfter: 1_200, after0: 1, after1: 1 } });
  });

  it('have no first answer where a later one came before, or it told nothing', () => {
    expect(counted([turn(at(9), {}), completed(2, 'c1'), turn(at(3), {})])).toEqual({});
    const empty = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(counted([completed(2, 'c1'), turn(at(3), empty)])).toEqual({});
    const silent = event(
      'pi.turn.completed.v1',
      { at: at(3) },
      { spend: spendOf({ reported: false }) },
    );
    const copy = { ...turn(at(3), { costSource: 'unpriced' }), ownership: 'named' as const };
    for (const each of [silent, copy])
      expect(utilization.key({ position: 1, receivedAtMs: 0, event: each })).toBeNull();
  });
});

it('a new session has nothing, and names nobody', () => {
  const state = utilization.initial('s1');
  expect(state).toMatchObject({ compactedAt: '', answeredAt: '', triggers: [], peaks: [] });
  expect(utilization.columnsOf(state)).toEqual({ project: '', user: '', sampledMinute: 0 });
});
