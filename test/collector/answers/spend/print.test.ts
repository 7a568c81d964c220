import type { UsageFigures } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { usageColumns, usageNotes } from '../../../../collector/answers/spend/print.ts';
import { sumFigures } from '../../../../collector/answers/spend/sum-figures.ts';
import { inFull, type Writing, writingOf } from '../../../../collector/cli/output/writing.ts';

const figures = (some: Partial<UsageFigures>): UsageFigures => ({ ...sumFigures([]), ...some });
type Billing = keyof UsageFigures['byBilling'];
/** Figures whose records of this billing lack a price, or reported nothing. */
function lacking(billing: Billing, some: Partial<UsageFigures>): UsageFigures {
  const { unpricedRecords = 0, unreportedRecords = 0 } = some;
  const { byBilling } = sumFigures([]);
  const billed = { ...byBilling[billing], unpricedRecords, unreportedRecords };
  return figures({ ...some, byBilling: { ...byBilling, [billing]: billed } });
}

describe('notes of a report', () => {
  it('are empty if there is nothing to say', () => {
    expect(usageNotes(figures({ records: 3, meteredNanoUsd: '5' }))).toEqual([]);
  });

  it.each([
    [
      { unreportedRecords: 3, unreportedTokensMax: 45_000, unreportedNanoUsdMax: '120000000' },
      '3 attempts reported nothing; the cost is not known, some ≤ $0.12',
    ],
    [
      { unreportedRecords: 1, unreportedTokensMax: 1, unreportedNanoUsdMax: '1' },
      '1 attempt reported nothing; the cost is not known, at most <$0.01',
    ],
    [
      { unreportedRecords: 1, unreportedTokensMax: 45_000 },
      '1 attempt reported nothing; the cost is not known, at most 45.0k tokens',
    ],
    [
      { unreportedRecords: 9_876, unreportedTokensMax: 45_600_000 },
      '9,876 attempts reported nothing; the cost is not known, some ≤ 45.6M tokens',
    ],
    [{ unreportedRecords: 2 }, '2 attempts reported nothing; the cost is not known'],
    [
      { unreportedRecords: 2, packageRequests: 2 },
      '2 requests by packages: no entry says more, cost unknown',
    ],
    [
      { unreportedRecords: 4, streamedAnswers: 4 },
      '4 answers known only from event streams: in no tokens and no amount',
    ],
  ])('say of unreported attempts what is known: %j', (some, text) => {
    expect(usageNotes(lacking('metered', some))).toEqual([{ text }]);
  });

  it('have no estimated amount of two kinds of billing', () => {
    const some = {
      unreportedRecords: 1,
      unreportedTokensMax: 9,
      unreportedNanoUsdMax: '120000000',
    };
    const { byBilling } = lacking('metered', some);
    const { subscription } = lacking('subscription', some).byBilling;
    const total = figures({
      ...some,
      unreportedRecords: 2,
      byBilling: { ...byBilling, subscription },
    });
    expect(usageNotes(total).map(({ text }) => text)).toEqual([
      '2 attempts reported nothing; the cost is not known, some ≤ 9 tokens',
    ]);
  });

  it('explain the mark of sums that leave records out, with the next step', () => {
    expect(usageNotes(figures({ records: 9, unpricedRecords: 2 }))).toEqual([
      { mark: '≥', text: '2 records have no price (n/a)', next: 'pi-ledger models --unpriced' },
    ]);
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
    const columns = usageColumns(total).slice(0, 3);
    expect(columns.map(({ title, cell }) => [title, cell(total, inFull)])).toEqual([
      ['metered', '$1.00'],
      ['subscription', '$2.00'],
      ['billing unknown', '$3.00'],
    ]);
  });

  it('stand side by side, and billing that is not known only where there is some', () => {
    const titles = usageColumns(figures({ meteredNanoUsd: '1' })).map(({ title }) => title);
    expect(titles.slice(0, 4)).toEqual(['metered', 'subscription', 'tokens', 'cache']);
  });

  it('are at least so much if records have no price', () => {
    const some = { records: 3, unpricedRecords: 1, meteredNanoUsd: '1500000000' };
    const texts = (row: UsageFigures) =>
      usageColumns(row)
        .slice(0, 2)
        .map(({ cell }) => cell(row, inFull));
    expect(texts(lacking('metered', some))).toEqual(['≥ $1.50', '–']);
    expect(texts(lacking('subscription', some))).toEqual(['$1.50', 'n/a']);
    const unknown = lacking('unknown', { records: 1, unpricedRecords: 1 });
    expect(usageColumns(unknown)[0]?.cell(unknown, inFull)).toBe('n/a');
  });

  it('stand alone where nobody said of anything how it is paid', () => {
    const heads = (of: UsageFigures) =>
      usageColumns(of)
        .map(({ title }) => title)
        .filter((title) => /metered|subscription|unknown/.test(title));
    const priced = figures({ records: 2, unknownBillingNanoUsd: '7' });
    expect(heads(priced)).toEqual(['billing unknown']);
    const both = { ...priced, subscriptionNanoUsd: '1' };
    expect(heads(both)).toEqual(['metered', 'subscription', 'billing unknown']);
    expect(heads(figures({}))).toEqual(['metered', 'subscription']);
  });

  it('are followed by all tokens, reasoning counted once, and the share from the cache', () => {
    const row = figures({
      inputTokens: 100_000,
      outputTokens: 50_000,
      cacheReadTokens: 800_000,
      cacheWriteTokens: 100_000,
      reasoningTokens: 20_000,
    });
    const texts = (writing: Writing) =>
      usageColumns(row)
        .slice(2, 4)
        .map(({ cell }) => cell(row, writing));
    expect(texts(inFull)).toEqual(['1,050,000', '80 %']);
    expect(texts(writingOf({ isShort: true, now: null }))).toEqual(['1.05M', '80 %']);
  });

  it.each([
    ['no record at all', {}, '–'],
    ['records without a price', { records: 2, unpricedRecords: 2 }, 'n/a'],
    ['attempts that reported nothing', { records: 1, unreportedRecords: 1 }, 'n/a'],
    ['records that cost nothing', { records: 1 }, '$0.0000'],
    ['an amount of another billing', { records: 1, subscriptionNanoUsd: '5' }, '–'],
  ])('of %s', (_, some, text) => {
    const [metered] = usageColumns(figures({ meteredNanoUsd: '1' }));
    expect(metered?.cell(lacking('metered', some), inFull)).toBe(text);
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
