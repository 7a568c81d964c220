import {
  allTokens,
  recordMeasures,
  sentTokens,
  spendDimensions,
  spendMeasures,
  tokenCounts,
} from '@pi-ledger/contract/spend-shape';
import { describe, expect, it } from 'vitest';
import { type Rollup, type RowKey, rowKey } from '../../collector/projections/projection.ts';
import { spendKey } from '../../collector/projections/session/rows.ts';
import {
  measureIndex,
  namedAmounts,
  recordAmounts,
  toAmounts,
} from '../../collector/projections/spend-amounts.ts';
import { totals } from '../../collector/projections/totals.ts';
import { usage } from '../../collector/projections/usage.ts';

const named = { project: 'p', provider: 'v', model: 'm', kind: 'k', billing: 'b' };
const ofTotals = { ...named, host: 'h', user: 'u', costSource: 'c' };

describe('the shape of spend', () => {
  it('names each dimension and each measure once', () => {
    for (const names of [spendDimensions, spendMeasures])
      expect(new Set(names).size).toBe(names.length);
  });

  it('begins with the measures of every record, which documents keep in this order', () => {
    expect(spendMeasures.slice(0, recordMeasures.length)).toEqual(recordMeasures);
    const amounts = toAmounts({ records: 2, unreportedRecords: 1, lowerBoundRecords: 7 });
    expect(recordAmounts(amounts)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('gives amounts back under the names that they were given', () => {
    const given = Object.fromEntries(spendMeasures.map((name, index) => [name, index + 1]));
    const back = namedAmounts(toAmounts(given));
    for (const [name, amount] of Object.entries(given))
      expect(back[name as keyof typeof back]).toBe(BigInt(amount));
  });

  it('makes rows by name, in whatever order the names come', () => {
    const reversed = Object.fromEntries(Object.entries(ofTotals).reverse());
    expect(rowKey(totals, reversed as typeof ofTotals)).toEqual(rowKey(totals, ofTotals));
    expect(rowKey(totals, ofTotals)).toEqual(['p', 'v', 'm', 'k', 'b', 'h', 'u', 'c']);
  });

  it('adds up the kinds of tokens, of which none is part of another', () => {
    const counts = { inputTokens: 1, outputTokens: 10, cacheReadTokens: 100 };
    const spend = { ...counts, cacheWriteTokens: 1_000, reasoningTokens: 9 };
    expect(tokenCounts(spend)).toEqual({ ...counts, cacheWriteTokens: 1_000 });
    expect([sentTokens(spend), allTokens(spend)]).toEqual([1_101, 1_111]);
  });

  it('is a type error in `npm run check` where a name is wrong, missing or of another row', () => {
    const { branch: _, ...withoutBranch } = spendKey('s', 0, lineName, labels);
    const key = rowKey(totals, ofTotals);
    const emit = <Dimension extends string>(
      _rollup: Rollup<Dimension>,
      _key: RowKey<NoInfer<Dimension>>,
    ): void => undefined;
    const wrong: readonly (() => unknown)[] = [
      // @ts-expect-error A measure that does not exist.
      () => toAmounts({ inputToken: 1 }),
      // @ts-expect-error A dimension is no measure.
      () => measureIndex('branch'),
      // @ts-expect-error A row without its branch.
      () => rowKey(usage, withoutBranch),
      // @ts-expect-error A row of the totals is no row of the usage.
      () => emit(usage, key),
      // @ts-expect-error Nobody writes positions.
      () => emit(totals, ['p', 'v', 'm', 'k', 'b', 'h', 'u', 'c']),
    ];
    emit(totals, key);
    expect(wrong).toHaveLength(5);
  });
});

const lineName = { ...named, thinking: '', costSource: '', stopReason: '' };
const labels = {
  ...{ project: 'p', branch: 'main', user: 'u', machine: 'w', host: 'pi', billing: 'b' },
  ...{ agentKind: '', agent: '', labels: '', head: '', utcOffsetMinutes: 0, isIgnored: false },
};
