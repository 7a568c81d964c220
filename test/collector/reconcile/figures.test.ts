import { describe, expect, it } from 'vitest';
import {
  addRequests,
  addUnit,
  countNames,
  noFigures,
  noSums,
  removeUnit,
  requestsIn,
  sameFigures,
  sameSums,
  setStreamed,
  streamedIn,
  turnsIn,
  unitFigures,
} from '../../../collector/reconcile/figures.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';
import { aClaim, aUnit, noTokens } from './support/units.ts';

function sumsOf(...units: readonly Unit[]) {
  const sums = noSums();
  for (const unit of units) addUnit(sums, unit);
  return sums;
}

describe('the sums of a session', () => {
  const other = aUnit({ entryId: 'e2', kind: 'compaction', nanoUsd: 7 });

  it('are the same in any order, and have spend by kind', () => {
    const [sums, turned] = [sumsOf(aUnit(), other), sumsOf(other, aUnit())];
    expect(sameSums(sums, turned)).toBe(true);
    expect(sums.units).toBe(2);
    expect(sums.byKind.get('turn')).toMatchObject({
      records: 1n,
      inputTokens: 100n,
      nanoUsd: 1_000n,
    });
    expect(sums.byKind.get('compaction')).toMatchObject({ records: 1n, nanoUsd: 7n });
  });

  it.each([
    ['a claim', aClaim()],
    ["a tool's nested work", aUnit({ kind: 'tool', turnEntryId: 't1' })],
  ])('have %s in no kind: it may be somebody else’s', (_what, claim) => {
    const sums = sumsOf(aUnit(), claim);
    expect([...sums.byKind]).toEqual([...sumsOf(aUnit()).byKind]);
    expect(sums.units).toBe(2);
  });

  it('of a tool without an answer above it are its own', () => {
    expect(sumsOf(aUnit({ kind: 'tool' })).byKind.get('tool')).toMatchObject({ records: 1n });
  });

  it.each([
    [
      'spend',
      aUnit({
        nanoUsd: 3,
        tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1, cacheWrite1h: 2 },
      }),
    ],
    ['spend without a price', aUnit({ nanoUsd: null, priceSource: 'unpriced' })],
    ['a claim', aClaim()],
  ])('are what they were when %s is given away again', (_what, unit) => {
    const sums = sumsOf(aUnit({ entryId: 'e0' }), unit);
    removeUnit(sums, unit);
    expect(sums).toEqual(sumsOf(aUnit({ entryId: 'e0' })));
  });

  it.each<[what: string, over: Partial<Unit>]>([
    ['the kind', { kind: 'tool' }],
    ['the key of a claim', { claimKey: 'agent:B' }],
    ['the entry', { entryId: 'e9' }],
    ['the time', { timeMs: 1 }],
    ['the provider', { provider: 'q' }],
    ['the model', { model: 'n' }],
    ['input', { tokens: { ...noTokens, input: 101 } }],
    ['output', { tokens: { ...noTokens, input: 100, output: 1 } }],
    ['cache reads', { tokens: { ...noTokens, input: 100, cacheRead: 1 } }],
    ['cache writes', { tokens: { ...noTokens, input: 100, cacheWrite: 1 } }],
    ['reasoning', { tokens: { ...noTokens, input: 100, reasoning: 1 } }],
    ['cache writes for an hour', { tokens: { ...noTokens, input: 100, cacheWrite1h: 1 } }],
    ['the amount', { nanoUsd: 1_001 }],
    ['where the price is from', { priceSource: 'provider' }],
    ['whether it was reported', { reported: false }],
  ])('notice a change of %s', (_what, over) =>
    expect(sameSums(sumsOf(aUnit()), sumsOf(aUnit(over)))).toBe(false),
  );

  it('do not notice who answered a claim: nobody says so', () => {
    expect(sameSums(sumsOf(aClaim()), sumsOf(aClaim({ provider: 'p', model: 'm' })))).toBe(true);
  });

  it('notice one record too many, even one that weighs nothing', () => {
    expect(sameSums(noSums(), { ...noSums(), units: 1 })).toBe(false);
    expect(sameSums(sumsOf(aUnit()), sumsOf(aUnit(), aUnit()))).toBe(false);
  });
});

describe('the figures of a record', () => {
  it.each<
    [what: string, over: Partial<Unit>, unpriced: bigint, unreported: bigint, nanoUsd: bigint]
  >([
    ['with a price', {}, 0n, 0n, 1_000n],
    ['that is free by its provider', { nanoUsd: 0, priceSource: 'provider' }, 0n, 0n, 0n],
    ['without a price', { nanoUsd: null, priceSource: 'unpriced' }, 1n, 0n, 0n],
    [
      'that has an amount of which nobody knows where it is from',
      { priceSource: 'unpriced' },
      1n,
      0n,
      0n,
    ],
    ['whose amount is gone', { nanoUsd: null }, 1n, 0n, 0n],
    [
      'that reported nothing',
      { reported: false, nanoUsd: null, priceSource: 'unpriced' },
      0n,
      1n,
      0n,
    ],
  ])(
    '%s say whether it is in the sum',
    (_what, over, unpricedRecords, unreportedRecords, nanoUsd) => {
      expect(unitFigures(aUnit(over))).toMatchObject({
        records: 1n,
        unpricedRecords,
        unreportedRecords,
        nanoUsd,
      });
    },
  );

  it.each([...countNames, 'nanoUsd'] as const)('differ by one in %s', (name) => {
    const figures = unitFigures(aUnit());
    const more = { ...figures, [name]: figures[name] + 1n };
    expect(sameFigures(figures, more)).toBe(false);
    expect(sameFigures(figures, { ...figures })).toBe(true);
  });

  it('are compared exactly, however large', () => {
    const exact = { ...noFigures(), inputTokens: 2n ** 53n + 1n };
    expect(sameFigures(exact, { ...exact, inputTokens: 2n ** 53n })).toBe(false);
  });
});

describe('records that are no units', () => {
  const unknownCost = (records: bigint) =>
    expect.objectContaining({ records, unreportedRecords: records, inputTokens: 0n });

  it('are requests by packages, added up, and answers of streams, as many as there are', () => {
    const sums = noSums();
    expect([requestsIn(sums), streamedIn(sums), turnsIn(sums)]).toEqual([0, 0, 0n]);
    for (const count of [3, -1]) addRequests(sums, count);
    for (const count of [5, 4]) setStreamed(sums, count);
    expect([requestsIn(sums), streamedIn(sums), turnsIn(sums)]).toEqual([2, 4, 0n]);
    expect(sums).toMatchObject({ units: 0, fingerprint: 0n });
    expect([...sums.byKind]).toEqual([
      ['package_request', unknownCost(2n)],
      ['streamed_answer', unknownCost(4n)],
    ]);
  });
});
