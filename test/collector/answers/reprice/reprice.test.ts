import { describe, expect, it } from 'vitest';
import { attributed, event, spendOf, turn } from '../../projections/support/given.ts';
import { get } from '../../support/ledger.ts';
import { reprice, repricedLedgers } from './reprices.ts';

const { holding } = repricedLedgers();

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
      // A sum of answers, none of which need have been above 200,000 tokens.
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
});
