import { type SpendMeasure, spendMeasures } from '@pi-ledger/contract/spend-shape';
import { describe, expect, it } from 'vitest';
import {
  type Claim,
  computeRests,
  measuresOfAccount,
} from '../../../../collector/projections/session/claim.ts';
import { measuresOf } from '../../../../collector/projections/usage.ts';
import { spendOf } from '../support/given.ts';

type Named = Partial<Record<SpendMeasure, number>>;

const nothing = { inputTokens: 0, outputTokens: 0, costNanoUsd: 0 };

function claimOf(spend: Parameters<typeof spendOf>[0]): Claim {
  const amounts = measuresOf(spendOf({ ...nothing, ...spend }), 'tool');
  return { atMs: 0, result: '', provider: '', model: '', costSource: '', amounts, rest: [] };
}

function accountedOf(spend: Parameters<typeof spendOf>[0]) {
  const account = measuresOfAccount(spendOf({ ...nothing, ...spend }));
  return [{ atMs: 0, amounts: account }];
}

/** What of each is not zero. */
function named(rests: ReturnType<typeof computeRests>): Named[] {
  return rests.map((rest) =>
    Object.fromEntries(
      spendMeasures.flatMap((name, index) =>
        Number(rest[index]) === 0 ? [] : [[name, Number(rest[index])]],
      ),
    ),
  );
}

describe('what of claims counts beside what is accounted for', () => {
  it('is nothing of a claim whose tokens are all covered: its price left is rounding', () => {
    const claims = [claimOf({ inputTokens: 100, costNanoUsd: 51 })];
    const accounted = accountedOf({ inputTokens: 100, costNanoUsd: 50 });
    expect(named(computeRests({ accounted, claims }))).toEqual([{}]);
  });

  it('is such a price too while tokens of another claim are left', () => {
    const claims = [
      claimOf({ inputTokens: 100, costNanoUsd: 51 }),
      claimOf({ inputTokens: 30, costNanoUsd: 20 }),
    ];
    const accounted = accountedOf({ inputTokens: 100, costNanoUsd: 50 });
    expect(named(computeRests({ accounted, claims }))).toEqual([
      { records: 1, nanoUsd: 1 },
      { records: 1, inputTokens: 30, nanoUsd: 20 },
    ]);
  });

  it('is the price of a claim that names no tokens', () => {
    const claims = [claimOf({ costNanoUsd: 51 })];
    expect(named(computeRests({ accounted: accountedOf({ costNanoUsd: 50 }), claims }))).toEqual([
      { records: 1, nanoUsd: 1 },
    ]);
  });

  it('is as much less of the reasoning as is accounted for, and never more than the output', () => {
    const claims = [claimOf({ outputTokens: 90, reasoningTokens: 60 })];
    const accounted = (spend: Parameters<typeof spendOf>[0]) => accountedOf(spend);
    const rest = (spend: Parameters<typeof spendOf>[0]) =>
      named(computeRests({ accounted: accounted(spend), claims }));
    expect(rest({ outputTokens: 20, reasoningTokens: 15 })).toEqual([
      { records: 1, outputTokens: 70, reasoningTokens: 45 },
    ]);
    expect(rest({ outputTokens: 50 })).toEqual([
      { records: 1, outputTokens: 40, reasoningTokens: 40 },
    ]);
  });
});
