import type { UsageFigures } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { sumFigures } from '../../../../collector/cli/output/usage-sum.ts';
import { usageColumns, usageFootnotes } from '../../../../collector/cli/output/usage-table.ts';

const figures = (some: Partial<UsageFigures>): UsageFigures => ({ ...sumFigures([]), ...some });

describe('footnotes of a report', () => {
  it('are empty if there is nothing to say', () => {
    expect(usageFootnotes(figures({ records: 3, meteredNanoUsd: '5' }))).toEqual([]);
  });

  it.each([
    [
      { unreportedRecords: 3, unreportedTokensMax: 45_000, unreportedNanoUsdMax: '120000000' },
      '3 attempts failed or aborted without reporting usage: cost unknown (not $0), ' +
        'estimated at up to $0.12 (45,000 tokens), not in the totals.',
    ],
    [
      { unreportedRecords: 1, unreportedTokensMax: 1, unreportedNanoUsdMax: '1' },
      '1 attempt failed or aborted without reporting usage: cost unknown (not $0), ' +
        'estimated at up to <$0.01 (1 token), not in the totals.',
    ],
    [
      { unreportedRecords: 2, unreportedTokensMax: 45_000 },
      '2 attempts failed or aborted without reporting usage: cost unknown (not $0), ' +
        'estimated at up to 45,000 tokens of unknown price (n/a), not in the totals.',
    ],
    [
      { unreportedRecords: 2 },
      '2 attempts failed or aborted without reporting usage: cost unknown (not $0), ' +
        'and no estimate is possible.',
    ],
  ])('say of unreported attempts what is known: %j', (some, note) => {
    expect(usageFootnotes(figures(some))).toEqual([note]);
  });
});

describe('amounts in a table', () => {
  it('have a column for each kind of billing, and none for their sum', () => {
    const total = figures({
      records: 3,
      meteredNanoUsd: '1000000000',
      subscriptionNanoUsd: '2000000000',
      unknownBillingNanoUsd: '3000000000',
    });
    const columns = usageColumns(total).slice(-3);
    expect(columns.map(({ title, cell }) => [title, cell(total)])).toEqual([
      ['metered', '$1.0000'],
      ['subscription*', '$2.0000'],
      ['billing unknown', '$3.0000'],
    ]);
  });

  it.each([
    ['no record at all', {}, '–'],
    ['records without a price', { records: 2, unpricedRecords: 2 }, 'n/a'],
    ['attempts that reported nothing', { records: 1, unreportedRecords: 1 }, 'n/a'],
    ['records that cost nothing', { records: 1 }, '$0.0000'],
    ['an amount of another billing', { records: 1, subscriptionNanoUsd: '5' }, '–'],
  ])('of %s', (_, some, text) => {
    const [metered] = usageColumns(figures({ meteredNanoUsd: '1' })).slice(-1);
    expect(metered?.cell(figures(some))).toBe(text);
  });
});

describe('the sum of figures', () => {
  it('adds figure by figure, exactly', () => {
    const one = figures({
      records: 1,
      inputTokens: 2,
      meteredNanoUsd: '9007199254740993',
      unreportedTokensMax: 3,
      unreportedNanoUsdMax: '4',
    });
    expect(sumFigures([one, one])).toEqual(
      figures({
        records: 2,
        inputTokens: 4,
        meteredNanoUsd: '18014398509481986',
        unreportedTokensMax: 6,
        unreportedNanoUsdMax: '8',
      }),
    );
  });
});
