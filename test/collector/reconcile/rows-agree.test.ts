/** Reports that two rollups answer: row by row the same, or named. */
import { describe, expect, it } from 'vitest';
import { readRows, readUnequalRows } from '../../../collector/reconcile/view-facts.ts';

type Row = Record<string, unknown>;

const row = (more: Row = {}): Row => ({
  project: 'shop',
  model: 'm',
  day: '2026-03-01',
  user: 'anna',
  records: 1,
  inputTokens: 2,
  outputTokens: 3,
  cacheReadTokens: 4,
  cacheWriteTokens: 5,
  reasoningTokens: 6,
  unpricedRecords: 7,
  unreportedRecords: 8,
  meteredNanoUsd: '9',
  subscriptionNanoUsd: '10',
  unknownBillingNanoUsd: '11',
  ...more,
});

/** `report name` of each unequal row, with one row in both reports unless it says otherwise. */
async function unequal(quick: readonly Row[], exact: readonly Row[] = [row()]) {
  const asked: string[] = [];
  const found = await readUnequalRows(async (path) => {
    asked.push(path);
    return { rows: path.includes('&since=0001-01-01T00:00:00Z') ? exact : quick, next: null };
  });
  return { found, asked };
}

describe('the rows of reports', () => {
  it('agree where they say the same, by project, model, day and user', async () => {
    const { found, asked } = await unequal([row()]);
    expect(found).toEqual([]);
    expect(asked).toEqual(
      ['project', 'model', 'day', 'user'].flatMap((by) => [
        `/v1/usage?by=${by}&limit=1000`,
        `/v1/usage?by=${by}&since=0001-01-01T00:00:00Z&limit=1000`,
      ]),
    );
  });

  it.each([
    'records',
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'reasoningTokens',
    'unpricedRecords',
    'unreportedRecords',
    'meteredNanoUsd',
    'subscriptionNanoUsd',
    'unknownBillingNanoUsd',
  ])('differ in %s', async (name) => {
    const { found } = await unequal([row({ [name]: '99' })]);
    expect(found.map(({ report }) => report)).toEqual([
      'by=project',
      'by=model',
      'by=day',
      'by=user',
    ]);
  });

  it('are named with what both say, in words', async () => {
    const { found } = await unequal([row({ project: null })]);
    const said =
      '1 records, 2 inputTokens, 3 outputTokens, 4 cacheReadTokens, 5 cacheWriteTokens, ' +
      '6 reasoningTokens, 7 unpricedRecords, 8 unreportedRecords, 9 + 10 + 11 nano-dollars';
    expect(found).toEqual([
      { report: 'by=project', name: 'null', quick: said, exact: null },
      { report: 'by=project', name: '"shop"', quick: null, exact: said },
    ]);
  });

  it('have no name where none is said', async () => {
    const { found } = await unequal([row({ user: undefined })], [row({ user: null })]);
    expect(found).toEqual([]);
  });
});

describe('a list of rows', () => {
  it('is asked for page by page, by what the page before says', async () => {
    const pages: Record<string, { rows: Row[]; next: string | null }> = {
      '/v1/x?a=1&limit=1000': { rows: [{ n: 1 }, { n: 2 }], next: 'b c&d' },
      '/v1/x?a=1&limit=1000&cursor=b%20c%26d': { rows: [{ n: 3 }], next: 'e' },
      '/v1/x?a=1&limit=1000&cursor=e': { rows: [], next: null },
    };
    const rows: Row[] = [];
    for await (const each of readRows(async (path) => pages[path], '/v1/x?a=1')) rows.push(each);
    expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('that never ends is an error in the end', async () => {
    let pages = 0;
    const ask = async () => {
      pages += 1;
      return { rows: [], next: 'more' };
    };
    const reading = (async () => {
      for await (const _row of readRows(ask, '/v1/x')) expect.fail('no page has a row');
    })();
    await expect(reading).rejects.toThrow('/v1/x has more than 100000000 rows.');
    expect(pages).toBe(100_000);
  });
});
