import { readFileSync } from 'node:fs';
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { attributed, event, spendOf, turn } from '../../projections/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const list = readFileSync(new URL('./price-list.json', import.meta.url), 'utf8');

async function holding(...events: LedgerEvent[]): Promise<Ledger> {
  const ledger = await homes.open();
  expect((await post(ledger, events)).json()).toMatchObject({ rejected: [] });
  return ledger;
}

async function reprice(ledger: Ledger, query = '', payload = list) {
  const headers = { 'content-type': 'application/json' };
  const answer = await ledger.app.inject({
    method: 'POST',
    url: `/v1/reprice?${query}`,
    payload,
    headers,
  });
  return { status: answer.statusCode, json: () => JSON.parse(answer.body) };
}

const sonnet = { provider: 'anthropic', model: 'claude-sonnet-5' };
const at = '2026-11-20T08:00:00.000Z';

describe('POST /v1/reprice', () => {
  it('compares recorded and repriced cost, and changes neither log nor views', async () => {
    const ledger = await holding(
      attributed(at),
      turn('2026-11-20T08:01:00.000Z', {
        ...sonnet,
        inputTokens: 1_000,
        outputTokens: 100,
        costNanoUsd: 5_000_000,
      }),
      turn('2026-11-20T08:02:00.000Z', {
        ...sonnet,
        inputTokens: 1_000,
        cacheReadTokens: 199_001,
        costNanoUsd: 1,
      }),
    );
    const before = (await get(ledger, '/v1/usage')).text;
    const { rows, totals, missing } = (await reprice(ledger)).json();
    const cost = 3_000_000 + 1_500_000 + 6_000_000 + 199_001 * 600;
    expect(rows).toEqual([
      {
        project: 'shop',
        billing: 'metered',
        records: 2,
        inputTokens: 2_000,
        outputTokens: 100,
        cacheReadTokens: 199_001,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
        recordedNanoUsd: '5000001',
        unpricedRecords: 0,
        unreportedRecords: 0,
        repricedNanoUsd: String(cost),
        repricedRecords: 2,
        leftOutRecords: 0,
        comparedRecords: 2,
        differenceNanoUsd: String(cost - 5_000_001),
      },
    ]);
    expect(totals).toMatchObject([
      { billing: 'metered', records: 2, repricedNanoUsd: String(cost) },
    ]);
    expect(missing).toEqual([]);
    expect((await get(ledger, '/v1/usage')).text).toBe(before);
  });

  it('leaves out what the list has no price for, counts it, and says why', async () => {
    const ledger = await holding(
      attributed(at),
      turn('2026-11-20T08:01:00.000Z', { provider: 'acme', model: 'none' }),
      turn('2026-11-20T08:02:00.000Z', { provider: 'acme', model: 'none' }),
      turn('2026-11-20T08:03:00.000Z', { provider: 'local', model: 'tiny' }),
      turn('2026-11-20T08:04:00.000Z', { provider: 'openai', model: 'gpt-6', cacheWriteTokens: 5 }),
      turn('2026-11-20T08:05:00.000Z', { provider: 'openai', model: 'gpt-6' }),
      turn('2026-11-20T08:06:00.000Z', { provider: null, model: null }),
      turn('2026-11-20T08:07:00.000Z', {
        ...sonnet,
        reported: false,
        inputTokens: 0,
        costNanoUsd: null,
        costSource: 'unpriced',
      }),
      turn('2026-11-20T08:08:00.000Z', { ...sonnet, costNanoUsd: null, costSource: 'unpriced' }),
    );
    const { totals, missing } = (await reprice(ledger)).json();
    expect(missing).toEqual([
      { provider: 'acme', model: 'none', records: 2, reason: 'not_in_catalogue' },
      { provider: '', model: '', records: 1, reason: 'not_in_catalogue' },
      { provider: 'openai', model: 'gpt-6', records: 1, reason: 'part_missing' },
      { provider: 'local', model: 'tiny', records: 1, reason: 'zero_price' },
    ]);
    const [metered, unknown] = totals;
    expect(metered).toMatchObject({
      billing: 'metered',
      records: 2,
      unreportedRecords: 1,
      unpricedRecords: 1,
      leftOutRecords: 0,
      repricedRecords: 1,
    });
    expect(metered).toMatchObject({
      recordedNanoUsd: '0',
      repricedNanoUsd: '3000',
      comparedRecords: 0,
      differenceNanoUsd: '0',
    });
    expect(unknown).toMatchObject({
      billing: 'unknown',
      records: 6,
      leftOutRecords: 5,
      repricedRecords: 1,
      repricedNanoUsd: '1250',
    });
    expect(unknown).toMatchObject({
      recordedNanoUsd: '6',
      comparedRecords: 1,
      differenceNanoUsd: '1249',
    });
  });

  it('takes the model that answered where the one asked for has no price of its own', async () => {
    const ledger = await holding(
      turn(at, { provider: 'anthropic', model: 'auto', responseModel: 'claude-sonnet-5' }),
    );
    expect((await reprice(ledger)).json().totals).toMatchObject([{ repricedNanoUsd: '3000' }]);
  });

  it('never adds amounts of different billing', async () => {
    const ledger = await holding(
      attributed(at, { billing: { anthropic: 'metered', openai: 'subscription' } }),
      turn(at, { ...sonnet }),
      turn(at, { provider: 'openai', model: 'gpt-6' }),
      turn(at, { provider: 'acme', model: 'none' }),
    );
    const { rows, totals } = (await reprice(ledger)).json();
    expect(
      rows.map((row: Record<string, string>) => [row.project, row.billing, row.repricedNanoUsd]),
    ).toEqual([
      ['shop', 'metered', '3000'],
      ['shop', 'subscription', '1250'],
      ['shop', 'unknown', '0'],
    ]);
    expect(totals).toHaveLength(3);
  });

  it('counts the part of a claim that the subagent did not record, at its price', async () => {
    const claim = {
      ...sonnet,
      inputTokens: 300_000,
      outputTokens: 1_000,
      costNanoUsd: 2_000_000_000,
    };
    const claimed = {
      entryId: 'e1',
      turnEntryId: 't1',
      toolCallId: 'c',
      agentName: 'task',
      key: 'agent:Sub',
      claimed: spendOf(claim),
    };
    const spent = {
      inputTokens: 299_000,
      outputTokens: 1_000,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: null,
      reported: true,
    };
    const accounted = {
      childSessionId: 'child',
      childEntryId: 'e2',
      keys: ['agent:Sub'],
      accounted: { ...spent, costNanoUsd: 1_900_000_000 },
    };
    const ledger = await holding(
      attributed(at),
      event('pi.subagent.accounted.v1', { at }, accounted),
      event('pi.subagent.claimed.v1', { at }, claimed),
      turn(
        at,
        { ...sonnet, inputTokens: 299_000, outputTokens: 1_000, costNanoUsd: 1_900_000_000 },
        'child',
      ),
    );
    const { rows } = (await reprice(ledger, 'by=session')).json();
    expect(rows).toMatchObject([
      { session: 'child', records: 1, repricedNanoUsd: String(299_000 * 6_000 + 1_000 * 22_500) },
      // A sum of answers: none of them need have been above 200,000 tokens.
      {
        session: 's1',
        records: 1,
        inputTokens: 1_000,
        outputTokens: 0,
        recordedNanoUsd: '100000000',
        repricedNanoUsd: '3000000',
      },
    ]);
  });

  it.each([
    ['[]', ''],
    ['{"acme":{"models":{"one":{"cost":{"input":"x","output":1}}}}}', 'acme/one: cost.input'],
    ['{}', ''],
  ])('refuses %s as a catalogue and names the place', async (payload, field) => {
    const answer = await reprice(await holding(), '', payload);
    expect([answer.status, answer.json().code, answer.json().field]).toEqual([
      400,
      'bad_parameter',
      field,
    ]);
  });

  it.each(['by=planet', 'since=soon', 'limit=0', 'format=csv'])('refuses %s', async (query) => {
    expect((await reprice(await holding(), query)).status).toBe(400);
  });

  it('takes a catalogue as large as the whole of models.dev', async () => {
    const model = { cost: { input: 1, output: 2, cache_read: 0.1 }, description: 'x'.repeat(400) };
    const models = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`model-${n}`, model]),
    );
    const payload = JSON.stringify({ acme: { models } });
    expect(payload.length).toBeGreaterThan(2_000_000);
    const ledger = await holding(turn(at, { provider: 'acme', model: 'model-4999' }));
    expect((await reprice(ledger, '', payload)).json().totals).toMatchObject([
      { repricedNanoUsd: '1000' },
    ]);
  });

  it('says how many rows it left out beyond the limit', async () => {
    const ledger = await holding(
      turn(at, sonnet, 'a'),
      turn(at, sonnet, 'b'),
      turn(at, sonnet, 'c'),
    );
    expect((await reprice(ledger, 'by=session&limit=2')).json()).toMatchObject({
      rows: [{ session: 'a' }, { session: 'b' }],
      rowsLeftOut: 1,
    });
  });
});

describe('a repricing', () => {
  it('has the report’s records, tokens and amounts, by any grouping and filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(worldEvent, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...narrowings),
        async (events, narrowing) => {
          const ledger = await holding(...events.map((make) => make()));
          for (const by of [
            'project',
            'user',
            'model',
            'session',
            'tree',
            'kind',
            'day',
            'week',
            'month',
          ]) {
            const report = (await get(ledger, `/v1/usage?by=${by}&${narrowing}`)).json();
            const repriced = (await reprice(ledger, `by=${by}&${narrowing}`)).json();
            expect(asReported(by, repriced.rows)).toEqual(byLabel(by, report.rows));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

const narrowings = [
  '',
  'project=blog',
  'user=bob&kind=turn',
  'since=2026-11-21',
  'until=2026-11-20T12:00:00Z',
  'model=gpt-6',
  'session=s1',
] as const;

const time = fc
  .integer({ min: 0, max: 2 * 24 * 60 })
  .map((n) => new Date(Date.UTC(2026, 10, 20) + n * 60_000).toISOString());
const session = fc.constantFrom('s1', 's2');
const tokens = fc.integer({ min: 0, max: 300_000 });
const spend = fc
  .record({
    is: fc.constantFrom(
      sonnet,
      { provider: 'openai', model: 'gpt-6' },
      { provider: 'acme', model: 'none' },
    ),
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    nanoUsd: fc.option(fc.integer({ min: 0, max: 10 ** 12 })),
    reported: fc.boolean(),
  })
  .map(({ is, nanoUsd, reported, ...some }) => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };
    const costSource = nanoUsd === null || !reported ? ('unpriced' as const) : ('catalog' as const);
    return spendOf({
      ...is,
      ...(reported ? some : none),
      reported,
      costNanoUsd: reported ? nanoUsd : null,
      costSource,
    });
  });
const key = fc.constantFrom(
  'agent:A',
  'agent:B',
  'response:0123456789abcdef',
  'response:aaaaaaaaaaaaaaaa',
);

/** Made when they are used, since each has an id of its own. */
const worldEvent: fc.Arbitrary<() => LedgerEvent> = fc.oneof(
  fc.tuple(time, spend, session).map(
    ([at, of, id]) =>
      () =>
        turn(at, of, id),
  ),
  fc.tuple(time, spend, session).map(
    ([at, of, id]) =>
      () =>
        event('pi.compaction.completed.v1', { at, session: id }, { spend: of }),
  ),
  fc.tuple(time, spend, session, fc.constantFrom('t1', null)).map(
    ([at, of, id, turnEntryId]) =>
      () =>
        event('pi.tool.completed.v1', { at, session: id }, { spend: of, turnEntryId }),
  ),
  fc.tuple(time, spend, session).map(
    ([at, of, id]) =>
      () =>
        event('pi.usage.recorded.v1', { at, session: id }, { kind: 'cache_warm', spend: of }),
  ),
  fc.tuple(time, spend, session, key).map(
    ([at, claimed, id, of]) =>
      () =>
        event('pi.subagent.claimed.v1', { at, session: id }, { key: of, claimed }),
  ),
  fc.tuple(time, spend, session, fc.array(key, { minLength: 1, maxLength: 2 })).map(
    ([
      at,
      {
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
        reasoningTokens,
        reported,
        costNanoUsd,
      },
      id,
      keys,
    ]) =>
      () =>
        event(
          'pi.subagent.accounted.v1',
          { at, session: id },
          {
            keys,
            accounted: {
              inputTokens,
              outputTokens,
              cacheReadTokens,
              cacheWriteTokens,
              reasoningTokens,
              reported,
              costNanoUsd,
            },
          },
        ),
  ),
  fc
    .tuple(
      time,
      session,
      fc.constantFrom('shop', 'blog'),
      fc.constantFrom('ada', 'bob'),
      fc.constantFrom(0, 345, -300),
    )
    .map(
      ([at, id, project, user, offset]) =>
        () =>
          attributed(
            at,
            {
              project,
              user,
              offset,
              billing: user === 'bob' ? { anthropic: 'subscription' } : { openai: 'metered' },
            },
            id,
          ),
    ),
);

const counts = [
  'records',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'unpricedRecords',
  'unreportedRecords',
];
const amounts = {
  metered: 'meteredNanoUsd',
  subscription: 'subscriptionNanoUsd',
  unknown: 'unknownBillingNanoUsd',
};

type Row = Record<string, string | number>;

function asReported(by: string, rows: readonly Row[]): Record<string, Row> {
  const labels = Map.groupBy(rows, (row) => String(row[by]));
  const entries = [...labels].map(([label, of]) => {
    const sums = counts.map((name) => [name, of.reduce((sum, row) => sum + Number(row[name]), 0)]);
    const recorded = Object.entries(amounts).map(([billing, name]) => {
      return [name, String(of.find((row) => row.billing === billing)?.recordedNanoUsd ?? '0')];
    });
    return [label, Object.fromEntries([...sums, ...recorded])] as const;
  });
  return Object.fromEntries(entries);
}

function byLabel(by: string, rows: readonly Row[]): Record<string, Row> {
  const names = [...counts, ...Object.values(amounts)];
  return Object.fromEntries(
    rows.map((row) => [
      String(row[by]),
      Object.fromEntries(names.map((name) => [name, row[name] ?? 0])),
    ]),
  );
}
