/** Lines of one provider, model and kind: thinking level, cost source and stop reason. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { costPartMeasures } from '@pi-ledger/contract/spend-shape';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf, turn } from '../support/given.ts';
import { inAnyOrder, permutations } from '../support/given-claims.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T10:30:00.000Z';
const priced = { costNanoUsd: 10, rawUsage: { cost: { input: 4e-9, cacheWrite: 5e-9 } } };
const lost: LedgerEvent = {
  ...turn(at, { inputTokens: 10, costNanoUsd: null, costSource: 'unpriced' }),
  ownership: 'named',
};

describe('usage by variant', () => {
  it('tells thinking levels, cost sources and stop reasons apart, in one minute too', () => {
    const folded = fold(sessions, [
      turn(at, priced, 's1', { thinkingLevel: 'high', stopReason: 'stop' }),
      turn(at, { ...priced, costSource: 'provider' }, 's1', { thinkingLevel: null }),
      turn(at, { costNanoUsd: null, costSource: 'unpriced' }, 's1', { stopReason: null }),
      turn(at, { reported: false, costNanoUsd: null, costSource: 'unpriced' }, 's1', {
        stopReason: 'aborted',
      }),
      event('pi.compaction.completed.v1', { at }, { spend: spendOf(priced) }),
      event('pi.attempt.estimated.v1', { at }, { provider: 'anthropic', model: 'sonnet' }),
    ]);
    const by = ['kind', 'thinking', 'costSource', 'stopReason'];
    expect(folded.sums(usage, 'records', ...by)).toEqual({
      'compaction,,catalog,': 1n,
      'turn,,,': 0n,
      'turn,,provider,toolUse': 1n,
      'turn,high,,aborted': 1n,
      'turn,high,catalog,stop': 1n,
      'turn,high,unpriced,': 1n,
    });
  });

  it('counts under the agent that the attribution of the time names', () => {
    const folded = fold(sessions, [
      attributed(at),
      turn(at),
      attributed(later, { agent: { kind: 'subagent', name: 'scout' } }),
      turn(later),
      turn(later),
    ]);
    expect(folded.sums(usage, 'records', 'agentKind', 'agent')).toEqual({
      'main,': 1n,
      'subagent,scout': 2n,
    });
  });

  it('moves when the agent becomes known late', () => {
    const given = [
      turn(at),
      attributed(at, { basis: 'import' }),
      attributed(at, { agent: { kind: 'subagent', name: 'scout' } }),
    ];
    for (const events of permutations(given))
      expect(fold(sessions, events).sums(usage, 'records', 'agent')).toEqual({ scout: 1n });
  });

  it('keeps the first of the alphabet where there are very many, and merges the rest', () => {
    const given = Array.from({ length: 40 }, (_, index) =>
      turn(at, {}, 's1', { stopReason: `r${String(index).padStart(2, '0')}` }),
    );
    const one = fold(sessions, given);
    const other = fold(sessions, given.toReversed(), { isReloaded: true });
    expect(other.documents()).toEqual(one.documents());
    const { '(other)': merged, ...kept } = one.sums(usage, 'records', 'stopReason');
    expect(Object.keys(kept)).toEqual(
      Array.from({ length: 24 }, (_, index) => `r${String(index).padStart(2, '0')}`),
    );
    expect(merged).toBe(16n);
    expect(other.sums(usage, 'records', 'stopReason')).toEqual({ ...kept, '(other)': 16n });
  });
});

describe('copies that lost their price', () => {
  it('meet their owner’s records whatever these cost and however they ended', () => {
    for (const costSource of ['provider', 'catalog'] as const) {
      const own = turn(at, { ...priced, inputTokens: 10, costSource }, 's1', {
        thinkingLevel: 'low',
        stopReason: 'length',
      });
      for (const given of [
        [lost, own],
        [own, lost],
      ])
        expect(fold(sessions, given).sums(usage, 'inputTokens', 'costSource')).toMatchObject({
          [costSource]: 10n,
        });
      expect(fold(sessions, [lost, own]).sums(usage, 'records')).toEqual({ '': 1n });
    }
  });

  it('count as unpriced, under no level and no reason, where they meet nobody', () => {
    expect(
      fold(sessions, [lost]).sums(usage, 'records', 'thinking', 'costSource', 'stopReason'),
    ).toEqual({ ',unpriced,': 1n });
  });
});

describe('the parts of a claim’s cost', () => {
  const claimed = spendOf({ ...priced, inputTokens: 100 });
  const claim = event('pi.subagent.claimed.v1', { at }, { key: 'agent:A', claimed });
  const account = (inputTokens: number) =>
    event(
      'pi.subagent.accounted.v1',
      { at },
      { keys: ['agent:A'], accounted: spendOf({ inputTokens, costNanoUsd: 0 }) },
    );

  it('stay where nothing of it is accounted for', () => {
    expect(inAnyOrder([claim])).toMatchObject({
      nanoUsd: 10n,
      inputNanoUsd: 4n,
      cacheWriteNanoUsd: 5n,
    });
  });

  it('go where anything of it is: nobody knows which part of the price is left', () => {
    expect(inAnyOrder([claim, account(1)])).toMatchObject({
      inputTokens: 99n,
      nanoUsd: 10n,
      inputNanoUsd: 0n,
      cacheWriteNanoUsd: 0n,
    });
  });
});

describe('the parts of a record’s cost', () => {
  const usd = fc.oneof(
    fc.double(),
    fc.constantFrom(-1, 1e300, 1e-12, '0.5', null, {}, [1], true, undefined),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const cost = fc.oneof(
    fc.record({ input: usd, output: usd, cacheRead: usd, cacheWrite: usd }),
    fc.constantFrom(null, 7, 'free', []),
  );
  const spend = fc
    .record({
      rawUsage: fc.record({ cost }),
      costNanoUsd: fc.option(fc.nat()),
      costSource: fc.constantFrom('provider' as const, 'catalog' as const, 'unpriced' as const),
      reported: fc.boolean(),
    })
    .map(spendOf);

  it('are whole amounts, and none of a record without a price, whatever a host writes', () => {
    fc.assert(
      fc.property(spend, (each) => {
        const [row = {}] = Object.values(fold(sessions, [turn(at, each)]).rows(usage));
        const parts = costPartMeasures.map((name) => row[name] ?? 0n);
        expect(parts.filter((part) => part < 0n || part > 1_000_000_000_000_000n)).toEqual([]);
        const hasPrice =
          each.reported && each.costNanoUsd !== null && each.costSource !== 'unpriced';
        if (!hasPrice) expect(parts).toEqual([0n, 0n, 0n, 0n]);
      }),
    );
  });
});
