import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributed, event, spendOf, turn } from '../../projections/support/given.ts';
import { get } from '../../support/ledger.ts';
import { reprice, repricedLedgers } from './reprices.ts';

const { holding } = repricedLedgers();

const sonnet = { provider: 'anthropic', model: 'claude-sonnet-5' };

const _at = '2026-11-20T08:00:00.000Z';

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

/** Created when used, because each has its own id. */
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
