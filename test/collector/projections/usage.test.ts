import { describe, expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, spendOf, turn } from './support/given.ts';

describe('usage: what is counted', () => {
  it('counts each of the places where spend is recorded, with its kind', () => {
    const at = '2026-11-22T10:00:00.000Z';
    const spend = spendOf({ costNanoUsd: 7 });
    const folded = fold(sessions, [
      turn(at, { costNanoUsd: 7 }),
      event('pi.tool.completed.v1', { at }, { spend }),
      event('pi.tool.completed.v1', { at }, { spend: null }),
      event('pi.compaction.completed.v1', { at }, { spend }),
      event('pi.branch.summarized.v1', { at }, { spend }),
      event('pi.usage.recorded.v1', { at }, { kind: 'cache_warm', spend }),
      event('pi.usage.recorded.v1', { at }, { kind: 'never_heard_of', spend }),
    ]);
    expect(folded.sums(usage, 'nanoUsd', 'kind')).toEqual({
      branch_summary: 7n,
      cache_warm: 7n,
      compaction: 7n,
      never_heard_of: 7n,
      tool: 7n,
      turn: 7n,
    });
    expect(folded.sums(usage, 'records', 'session')).toEqual({ s1: 6n });
  });

  it('sums every kind of token by itself and takes what the host does not say for none', () => {
    const spend = {
      inputTokens: 1,
      outputTokens: 20,
      cacheReadTokens: 300,
      cacheWriteTokens: 4_000,
      reasoningTokens: 5,
      costNanoUsd: 60_000,
      rawUsage: { cost: { input: 0.000_01, output: 0.000_02, cacheRead: 0.000_03 } },
    };
    const folded = fold(sessions, [
      turn('2026-11-22T10:00:00.000Z', spend),
      turn('2026-11-22T10:00:30.000Z', { ...spend, reasoningTokens: null }),
    ]);
    expect(folded.rows(usage, 'provider', 'model')).toEqual({
      'anthropic,sonnet': {
        records: 2n,
        inputTokens: 2n,
        outputTokens: 40n,
        cacheReadTokens: 600n,
        cacheWriteTokens: 8_000n,
        reasoningTokens: 5n,
        nanoUsd: 120_000n,
        unpricedRecords: 0n,
        unreportedRecords: 0n,
        unreportedTokensMax: 0n,
        unreportedNanoUsdMax: 0n,
        inputNanoUsd: 20_000n,
        outputNanoUsd: 40_000n,
        cacheReadNanoUsd: 60_000n,
        cacheWriteNanoUsd: 0n,
        packageRequests: 0n,
        streamedAnswers: 0n,
        lowerBoundRecords: 0n,
      },
    });
  });

  it('keeps unpriced and unreported records apart, and out of the amounts', () => {
    const folded = fold(sessions, [
      turn('2026-11-22T10:00:00.000Z', {
        costNanoUsd: null,
        costSource: 'unpriced',
        inputTokens: 5,
      }),
      turn('2026-11-22T10:00:01.000Z', {
        costNanoUsd: null,
        costSource: 'unpriced',
        inputTokens: 0,
        reported: false,
      }),
      turn('2026-11-22T10:00:02.000Z', { costNanoUsd: 3, costSource: 'provider' }),
    ]);
    expect(folded.rows(usage, 'session').s1).toMatchObject({
      records: 3n,
      inputTokens: 6n,
      nanoUsd: 3n,
      unpricedRecords: 1n,
      unreportedRecords: 1n,
    });
  });

  it.each([
    [
      'a price whose source says that there is none',
      { costNanoUsd: 5, costSource: 'unpriced' },
      0n,
      1n,
    ],
    ['a source, but no price', { costNanoUsd: null, costSource: 'catalog' }, 0n, 1n],
    ['a price of nothing', { costNanoUsd: 0, costSource: 'provider' }, 0n, 0n],
  ] as const)('knows what has no price: %s', (_name, spend, nanoUsd, unpricedRecords) => {
    expect(fold(sessions, [turn('2026-11-22T10:00:00.000Z', spend)]).rows(usage)['']).toMatchObject(
      { nanoUsd, unpricedRecords },
    );
  });

  it('is exact where a double is not', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const given = [most, most, 2, most].map((costNanoUsd, index) =>
      turn(`2026-11-22T10:00:0${index}.000Z`, { costNanoUsd, inputTokens: costNanoUsd }),
    );
    for (const isReloaded of [false, true]) {
      const folded = fold(
        sessions,
        [...given, attributed('2026-11-22T09:00:00.000Z', { project: 'late' })],
        { isReloaded },
      );
      expect(folded.sums(usage, 'nanoUsd', 'project')).toEqual({ late: 3n * BigInt(most) + 2n });
      expect(folded.sums(usage, 'inputTokens', 'project')).toEqual({
        late: 3n * BigInt(most) + 2n,
      });
    }
  });

  it('counts spend without provider and model under the empty name', () => {
    const folded = fold(sessions, [
      turn('2026-11-22T10:00:00.000Z', { provider: null, model: null }),
    ]);
    expect(folded.sums(usage, 'records', 'provider', 'model', 'billing')).toEqual({
      ',,unknown': 1n,
    });
  });

  it('does not mistake one model for another whose name runs into the next field', () => {
    const given = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['a\n', 'b'],
      ['a', '\nb'],
    ].map(([provider, model], index) =>
      turn('2026-11-22T10:00:00.000Z', {
        provider: provider ?? null,
        model: model ?? null,
        costNanoUsd: 10 ** index,
      }),
    );
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'provider', 'model')).toEqual({
      'ab,c': 1n,
      'a,bc': 10n,
      'a\n,b': 100n,
      'a,\nb': 1_000n,
    });
  });
});
