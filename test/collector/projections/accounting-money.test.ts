/** What docs/accounting.md says about money. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import { readSpend as recordedSpendOf } from '../../../core/record/spend.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';

const later = '2026-11-22T11:00:00.000Z';

describe('money', () => {
  it('An imported session’s billing is unknown until a live attribution says it', () => {
    const imported = [
      attributed(at, { basis: 'import', project: 'shop', billing: {} }),
      turn(later, { costNanoUsd: 7 }),
    ];
    const live = attributed(later, { project: 'shop', billing: { anthropic: 'subscription' } });
    const byBilling = (given: readonly LedgerEvent[]) =>
      fold(sessions, given).sums(usage, 'nanoUsd', 'project', 'billing');
    expect(byBilling(imported)).toEqual({ 'shop,unknown': 7n });
    expect(byBilling([...imported, live])).toEqual({ 'shop,subscription': 7n });
    expect(byBilling([live, ...imported])).toEqual({ 'shop,subscription': 7n });
  });

  it('Metered, subscription and unknown amounts are never in one row', () => {
    const given = [
      attributed(at, { billing: { anthropic: 'metered', openai: 'subscription' } }),
      ...['anthropic', 'openai', 'local'].map((provider) => turn(at, { provider, costNanoUsd: 4 })),
    ];
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'billing')).toEqual({
      metered: 4n,
      subscription: 4n,
      unknown: 4n,
    });
  });

  it.each([
    [
      'a tier above 200,000 tokens',
      { input: 250_000, output: 10, cost: { input: 1.5, output: 0.000225, total: 1.500225 } },
      1_500_225_000n,
    ],
    [
      'a cache write of an hour',
      {
        input: 3,
        cacheWrite: 1_000,
        cacheWrite1h: 400,
        cost: { cacheWrite: 0.00465, total: 0.004659 },
      },
      4_659_000n,
    ],
    [
      'omp’s cache write of an hour',
      { input: 3, cacheWrite: 1_000, cttl: { ephemeral1h: 400 }, cost: { total: 0.004659 } },
      4_659_000n,
    ],
    [
      'the priority tier',
      { input: 100, output: 10, serviceTier: 'priority', cost: { total: 0.00168 } },
      1_680_000n,
    ],
    [
      'a provider’s own bill',
      { input: 100, output: 10, cost: { total: 0.0000000125, totalFromProvider: true } },
      12n,
    ],
  ])(
    'Tiers, 1-hour cache writes, priority tiers: the host’s own figure is taken: %s',
    (_name, rawUsage, nanoUsd) => {
      const answered = {
        provider: 'anthropic',
        api: null,
        model: 'sonnet',
        responseModel: null,
        responseId: null,
      };
      const spend: Spend = recordedSpendOf(rawUsage, answered);
      const row = fold(sessions, [turn(at, spend)]).rows(usage, 'model').sonnet;
      expect(row).toMatchObject({
        nanoUsd,
        inputTokens: BigInt(rawUsage.input),
        unpricedRecords: 0n,
      });
      expect(row?.cacheWriteTokens).toBe(BigInt(spend.cacheWriteTokens));
    },
  );
});
