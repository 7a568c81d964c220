import { describe, expect, it } from 'vitest';
import { exampleEvent } from '../../support/events.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { sessionEvents, work } from '../../support/work.ts';

const homes = ledgerHomes();
const worked = () => homes.holding(work);

const nothing = {
  records: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  meteredNanoUsd: '0',
  subscriptionNanoUsd: '0',
  unknownBillingNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
  unreportedTokensMax: 0,
  unreportedNanoUsdMax: '0',
  packageRequests: 0,
  streamedAnswers: 0,
};
const notBilled = {
  inputNanoUsd: '0',
  outputNanoUsd: '0',
  cacheReadNanoUsd: '0',
  cacheWriteNanoUsd: '0',
  otherNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
  lowerBoundRecords: 0,
};
/** So many records with the host's parts of the contract's example, whatever they cost in all. */
const billed = (records: number, nanoUsd: number) => ({
  inputNanoUsd: String(records * 820_000),
  outputNanoUsd: String(records * 408_000),
  cacheReadNanoUsd: String(records * 350_000),
  cacheWriteNanoUsd: String(records * 750_000),
  otherNanoUsd: String(nanoUsd - records * 2_328_000),
  unpricedRecords: 0,
  unreportedRecords: 0,
  lowerBoundRecords: 0,
});
const byBilling = { metered: notBilled, subscription: notBilled, unknown: notBilled };
const tokens = (records: number) => ({
  inputTokens: records * 100,
  outputTokens: records * 10,
  cacheReadTokens: records * 20,
  cacheWriteTokens: records * 30,
  reasoningTokens: records * 5,
});
const shop = {
  ...nothing,
  byBilling: {
    metered: { ...billed(1, 5_000), unreportedRecords: 1 },
    subscription: billed(1, 7_000),
    unknown: notBilled,
  },
  ...tokens(2),
  records: 3,
  meteredNanoUsd: '5000',
  subscriptionNanoUsd: '7000',
  unreportedRecords: 1,
};
const blog = {
  ...nothing,
  byBilling: {
    ...byBilling,
    unknown: { ...billed(1, 2_000), unpricedRecords: 1 },
  },
  ...tokens(2),
  records: 2,
  unknownBillingNanoUsd: '2000',
  unpricedRecords: 1,
};
const lost = {
  ...nothing,
  ...tokens(1),
  byBilling: { ...byBilling, unknown: billed(1, 3_000) },
  records: 1,
  unknownBillingNanoUsd: '3000',
};
const total = {
  ...nothing,
  ...tokens(5),
  records: 6,
  meteredNanoUsd: '5000',
  subscriptionNanoUsd: '7000',
  unknownBillingNanoUsd: '5000',
  unpricedRecords: 1,
  unreportedRecords: 1,
};
const totalByBilling = {
  metered: { ...billed(1, 5_000), unreportedRecords: 1 },
  subscription: billed(1, 7_000),
  unknown: { ...billed(2, 5_000), unpricedRecords: 1 },
};

/** The sum of each figure over all rows. */
function sumOf(rows: readonly Record<string, number | string>[]): Record<string, number | string> {
  const sums = Object.keys(nothing).map((name) => {
    const sum = rows.reduce((all, row) => all + BigInt(row[name] ?? 0), 0n);
    return [name, name.includes('NanoUsd') ? sum.toString() : Number(sum)];
  });
  return Object.fromEntries(sums);
}

describe('GET /v1/usage', () => {
  it('of an empty ledger is an empty report', async () => {
    expect((await get(await homes.open(), '/v1/usage')).json()).toEqual({
      by: ['project'],
      rows: [],
      total: { ...nothing, byBilling },
      next: null,
    });
  });

  it('includes acknowledged events, by project, costliest first, null if unknown', async () => {
    expect((await get(await worked(), '/v1/usage?by=project')).json()).toEqual({
      by: ['project'],
      rows: [
        { project: 'shop', ...shop },
        { project: null, ...lost },
        { project: 'blog', ...blog },
      ],
      total: { ...total, byBilling: totalByBilling },
      next: null,
    });
  });

  const kinds: [by: string, labels: (string | null)[]][] = [
    ['branch', ['main', null]],
    ['model', ['claude-sonnet-5', 'gpt-6', 'tiny']],
    ['provider', ['anthropic', 'openai', 'local']],
    ['user', ['ada', null, 'bob']],
    ['machine', ['workbench', null]],
    ['host', ['pi', null]],
    ['session', ['s-shop', 's-lost', 's-blog']],
    ['tree', ['s-shop', 's-lost', 's-blog']],
    ['kind', ['turn']],
    [
      'hour',
      [
        '2026-11-16T09:00:00Z',
        '2026-11-16T10:00:00Z',
        '2026-11-17T09:00:00Z',
        '2026-11-20T08:00:00Z',
        '2026-11-21T22:00:00Z',
      ],
    ],
    ['agentKind', ['main', null]],
    ['agent', [null]],
    ['thinking', ['high']],
    ['costSource', ['catalog', 'unpriced', null]],
    ['stopReason', ['toolUse']],
    ['day', ['2026-11-16', '2026-11-17', '2026-11-20', '2026-11-22']],
    ['week', ['2026-W47']],
    ['month', ['2026-11']],
  ];

  it.each(kinds)('by %s has the same total', async (by, labels) => {
    const answer = (await get(await worked(), `/v1/usage?by=${by}`)).json();
    expect(answer.rows.map((row: Record<string, unknown>) => row[by])).toEqual(labels);
    const { cache, ...figures } = answer.total;
    expect(figures).toEqual({ ...total, byBilling: totalByBilling });
    expect(cache === undefined).toBe(by !== 'model');
    expect(sumOf(answer.rows)).toEqual(total);
  });

  it('never adds amounts of different billing: in a row, in the total, or in CSV', async () => {
    const ledger = await worked();
    for (const [by] of kinds) {
      const { rows, total: all } = (await get(ledger, `/v1/usage?by=${by}`)).json();
      expect(sumOf(rows)).toMatchObject({
        meteredNanoUsd: '5000',
        subscriptionNanoUsd: '7000',
        unknownBillingNanoUsd: '5000',
      });
      for (const row of [...rows, all]) expect(Object.keys(row)).not.toContain('nanoUsd');
      const [header = ''] = (await get(ledger, `/v1/usage?by=${by}&format=csv`)).text.split('\r\n');
      expect(header).toContain(
        'meteredNanoUsd,meteredUsd,subscriptionNanoUsd,subscriptionUsd,' +
          'unknownBillingNanoUsd,unknownBillingUsd',
      );
    }
  });

  it('pages: each row once, and the total of all on every page', async () => {
    const ledger = await worked();
    const labels: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const answer = (await get(ledger, `/v1/usage?by=model&limit=1${cursor}`)).json();
      labels.push(...answer.rows.map((row: { model: string }) => row.model));
      expect(answer.total).toMatchObject(total);
      if (answer.next === null) break;
      cursor = `&cursor=${answer.next}`;
    }
    expect(labels).toEqual(['claude-sonnet-5', 'gpt-6', 'tiny']);
  });

  it('adds money up to the last nano-dollar, beyond what a double holds', async () => {
    const ledger = await homes.open();
    const nanoUsd = 999_999_999_999_999;
    const turns = Array.from({ length: 60 }, (_, index) => ({
      time: `2026-11-20T08:${String(index).padStart(2, '0')}:00.000Z`,
      nanoUsd,
    }));
    await post(
      ledger,
      sessionEvents({
        id: 's',
        project: 'p',
        startedAt: '2026-11-20T08:00:00.000Z',
        turns,
        billing: { anthropic: 'metered' },
      }),
    );
    expect((await get(ledger, '/v1/usage')).json().total.meteredNanoUsd).toBe(
      (60n * BigInt(nanoUsd)).toString(),
    );
  });

  it('gives an upper estimate for unreported attempts, but not in the totals', async () => {
    const ledger = await worked();
    const estimated = {
      entryId: 'e',
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      tokensMax: 45_000,
      costNanoUsdMax: 120_000_000,
    };
    const time = '2026-11-17T09:05:00.000Z';
    await post(ledger, [
      exampleEvent({
        number: 1,
        type: 'pi.attempt.estimated.v1',
        subject: 's-shop',
        time,
        data: { ...estimated, source: 'host' },
      }),
    ]);
    const estimate = { unreportedTokensMax: 45_000, unreportedNanoUsdMax: '120000000' };
    const answer = (await get(ledger, '/v1/usage?by=project')).json();
    expect(answer.rows[0]).toEqual({ project: 'shop', ...shop, ...estimate });
    expect(answer.total).toMatchObject({ ...total, ...estimate });
    for (const by of ['tree', 'day', 'kind'])
      expect((await get(ledger, `/v1/usage?by=${by}`)).json().total).toMatchObject({
        ...total,
        ...estimate,
      });
    expect((await get(ledger, '/v1/usage?timezone=Asia/Kolkata')).json().total).toMatchObject({
      ...total,
      ...estimate,
    });
    expect((await get(ledger, '/v1/sessions/s-shop')).json()).toMatchObject({
      ...shop,
      ...estimate,
    });
    expect((await get(ledger, '/v1/usage?format=csv')).text).toContain(
      '\r\nshop,3,200,20,40,60,10,5000,0.000005,7000,0.000007,0,0,0,1,45000,120000000,0.12,0,',
    );
  });
});
