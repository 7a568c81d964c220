import type { UsageFineRow } from '@pi-ledger/contract/answers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { focusColumns, toFocusRows } from '../../../../../collector/cli/transfer/focus-rows.ts';
import { columnRules, faultsOf10, faultsOf12 } from './focus-rules.ts';

const plain: UsageFineRow = {
  day: '2026-11-30',
  billing: 'metered',
  project: 'shop',
  user: 'ada',
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  costSource: 'catalog',
  labels: '{"team":"checkout"}',
  records: 2,
  inputTokens: 100,
  outputTokens: 50,
  cacheReadTokens: 0,
  cacheWriteTokens: 10,
  reasoningTokens: 5,
  nanoUsd: '1000',
  inputNanoUsd: '300',
  outputNanoUsd: '600',
  cacheReadNanoUsd: '0',
  cacheWriteNanoUsd: '100',
  unpricedRecords: 0,
  unreportedRecords: 0,
};
const metersOf = (row: Partial<UsageFineRow>) =>
  toFocusRows({ ...plain, ...row }).map(({ SkuMeter, PricingQuantity, PricingUnit, ListCost }) =>
    [SkuMeter, PricingQuantity, PricingUnit, ListCost].join(' '),
  );
const nano = (usd: string | null) => {
  const [whole = '', fraction = ''] = (usd ?? '').split('.');
  return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
};

const count = fc.nat({ max: 1_000 });
const anyRow = fc
  .record({
    billing: fc.constantFrom('metered' as const, 'subscription' as const, 'unknown' as const),
    project: fc.option(fc.string()),
    user: fc.option(fc.string()),
    provider: fc.option(fc.string({ minLength: 1 })),
    model: fc.option(fc.string({ minLength: 1 })),
    costSource: fc.constantFrom('catalog', 'provider', 'unpriced', null),
    labels: fc.option(fc.dictionary(fc.string(), fc.string()).map((each) => JSON.stringify(each))),
    records: fc.integer({ min: 1, max: 100 }),
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    parts: fc.tuple(count, count, count, count),
    total: fc.nat({ max: 4_000 }),
  })
  .map(({ parts, total, ...row }): UsageFineRow => {
    const [input, output, read, write] = parts.map(String);
    return {
      ...plain,
      ...row,
      nanoUsd: String(total),
      inputNanoUsd: input ?? '',
      outputNanoUsd: output ?? '',
      cacheReadNanoUsd: read ?? '',
      cacheWriteNanoUsd: write ?? '',
    };
  });

describe('rows of FOCUS 1.2', () => {
  it('have the columns that the specification names, and their own with x_', () => {
    const known = Object.keys(columnRules);
    expect(focusColumns.filter((name) => !name.startsWith('x_'))).toEqual(known.toSorted());
    const [row] = toFocusRows(plain);
    expect(Object.keys(row ?? {})).toEqual([...focusColumns]);
  });

  it('keep the published rules, whatever was spent, and add up to the nano-dollar', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const charges = toFocusRows(row);
        for (const charge of charges) {
          const cells = Object.fromEntries(
            Object.entries(charge).map(([name, value]) => [name, value ?? '']),
          );
          expect([...faultsOf10(cells), ...faultsOf12(cells)]).toEqual([]);
        }
        const sum = (name: 'BilledCost' | 'EffectiveCost' | 'ListCost' | 'ContractedCost') =>
          charges.reduce((all, charge) => all + nano(charge[name]), 0n);
        const total = BigInt(row.nanoUsd);
        const billed = row.billing === 'metered' ? total : 0n;
        expect([sum('ListCost'), sum('ContractedCost')]).toEqual([total, total]);
        expect([sum('BilledCost'), sum('EffectiveCost')]).toEqual([billed, billed]);
      }),
    );
  });

  it('are one for each kind of token whose cost is told, and one for the rest', () => {
    expect(metersOf({})).toEqual([
      'Input Tokens 100 Tokens 0.0000003',
      'Output Tokens 50 Tokens 0.0000006',
      'Cache Write Tokens 10 Tokens 0.0000001',
    ]);
    expect(metersOf({ nanoUsd: '1500' }).at(-1)).toBe('Other 2 Requests 0.0000005');
  });

  it('are one for all tokens if the host tells no parts, or too much', () => {
    const none = { inputNanoUsd: '0', outputNanoUsd: '0', cacheWriteNanoUsd: '0' };
    expect(metersOf(none)).toEqual(['Tokens 160 Tokens 0.000001']);
    expect(metersOf({ nanoUsd: '900' })).toEqual(['Tokens 160 Tokens 0.0000009']);
  });

  it('are none for what reported nothing', () => {
    const nothing = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, nanoUsd: '0' };
    expect(metersOf({ ...nothing, unreportedRecords: 2 })).toEqual([]);
  });

  it('never bill what a plan covers, or what nobody knows to be billed, and say so', () => {
    for (const [billing, said] of [
      ['subscription', 'covered by a subscription, at list price'],
      ['unknown', 'not known how it is billed'],
    ] as const)
      for (const row of toFocusRows({ ...plain, billing })) {
        expect(row).toMatchObject({ BilledCost: '0', EffectiveCost: '0', x_Billing: billing });
        expect(row).toMatchObject({ PricingCategory: 'Other' });
        expect(row.ListCost).not.toBe('0');
        expect(row.ChargeDescription).toContain(said);
      }
  });

  it('say of a cost of 0 whether it is known', () => {
    const unpriced = { costSource: 'unpriced', nanoUsd: '0', unpricedRecords: 2 };
    for (const row of toFocusRows({ ...plain, ...unpriced, inputNanoUsd: '0' })) {
      expect(row.x_CostKnown).toBe('false');
      expect(row.ChargeDescription).toContain('costs of 0 mean not known');
    }
    expect(toFocusRows(plain)[0]).toMatchObject({
      x_CostKnown: 'true',
      PricingCategory: 'Standard',
    });
  });

  it("have the spender's day and its month in UTC, and tags", () => {
    const [row] = toFocusRows({ ...plain, day: '2026-12-31' });
    expect(row).toMatchObject({
      ChargePeriodStart: '2026-12-31T00:00:00Z',
      ChargePeriodEnd: '2027-01-01T00:00:00Z',
      BillingPeriodStart: '2026-12-01T00:00:00Z',
      BillingPeriodEnd: '2027-01-01T00:00:00Z',
    });
    expect(JSON.parse(row?.Tags ?? '')).toEqual({
      team: 'checkout',
      'pi-ledger/project': 'shop',
      'pi-ledger/user': 'ada',
    });
  });
});
