/** Tokens, costs and records as counters: real events, through the real store. */
import { describe, expect, it } from 'vitest';
import { createCounters } from '../../../../collector/answers/metrics/counters.ts';
import { spendPoints } from '../../../../collector/answers/metrics/spend.ts';
import { attributed, event, spendOf, turn } from '../../projections/support/given.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { amountsOf, readingIn } from './readings.ts';

const homes = ledgerHomes();
const at = '2026-11-22T10:00:00.000Z';
const began = attributed('2026-11-22T09:00:00.000Z', { user: 'ada' });

describe('counters of spend', () => {
  it('count tokens once, with those of the cache in the input', async () => {
    const spend = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 70, cacheWriteTokens: 900 };
    const ledger = await homes.holding([began, turn(at, { ...spend, reasoningTokens: 2 })]);
    const reading = await readingIn(ledger);
    const tokens = Object.fromEntries(
      reading.metrics
        .filter(({ metric }) => metric.unit === '{token}')
        .map(({ metric, points }) => [metric.name, points]),
    );
    const attributes = {
      'gen_ai.token.modality': 'unknown',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'sonnet',
      'pi.project': 'shop',
      'pi.host.name': 'pi',
      'pi.billing': 'metered',
      'pi.spend.kind': 'turn',
    };
    const usage = 'gen_ai.client.inference.usage';
    expect(tokens).toMatchObject({
      [`${usage}.input_tokens`]: [{ attributes, amount: 973n }],
      [`${usage}.output_tokens`]: [{ attributes, amount: 5n }],
      [`${usage}.cache_read.input_tokens`]: [{ attributes, amount: 70n }],
      [`${usage}.cache_write.input_tokens`]: [{ attributes, amount: 900n }],
      [`${usage}.reasoning.output_tokens`]: [{ attributes, amount: 2n }],
    });
  });

  it('say where a cost comes from, and of what has no price, how many records', async () => {
    const ledger = await homes.holding([
      began,
      turn(at, { costNanoUsd: 12_300_000, costSource: 'catalog' }),
      turn(at, { costNanoUsd: 700, costSource: 'provider' }),
      turn(at, { costNanoUsd: 0, costSource: 'catalog', model: 'free' }),
      turn(at, { costNanoUsd: null, costSource: 'unpriced' }),
      turn(at, { reported: false, inputTokens: 0, costNanoUsd: null }),
    ]);
    const reading = await readingIn(ledger);
    const by = ['gen_ai.request.model', 'pi.cost.source'] as const;
    expect(amountsOf(reading, 'pi.cost.usd', ...by)).toEqual({
      'sonnet,catalog': 12_300_000n,
      'sonnet,provider': 700n,
      'free,catalog': 0n,
    });
    expect(amountsOf(reading, 'pi.usage.records', ...by)).toEqual({
      'sonnet,catalog': 1n,
      'sonnet,provider': 1n,
      'sonnet,unpriced': 1n,
      'sonnet,unreported': 1n,
      'free,catalog': 1n,
    });
  });

  it('keep kinds of billing apart, and use the names of the conventions', async () => {
    const billing = { 'openai-codex': 'subscription', 'amazon-bedrock': 'metered' } as const;
    const ledger = await homes.holding([
      attributed('2026-11-22T09:00:00.000Z', { billing }),
      turn(at, { provider: 'openai-codex', costNanoUsd: 10 }),
      turn(at, { provider: 'amazon-bedrock', costNanoUsd: 200 }),
      turn(at, { provider: 'elsewhere', costNanoUsd: 3_000 }),
    ]);
    const by = ['gen_ai.provider.name', 'pi.billing'] as const;
    expect(amountsOf(await readingIn(ledger), 'pi.cost.usd', ...by)).toEqual({
      'openai,subscription': 10n,
      'aws.bedrock,metered': 200n,
      'elsewhere,unknown': 3_000n,
    });
  });

  it('sum what becomes one series, and split it by user only when asked to', async () => {
    const ledger = await homes.holding(
      [began, turn(at, { provider: 'bedrock' }), turn(at, { provider: 'amazon-bedrock' })],
      [attributed(at, { user: 'bob' }, 's2'), turn(at, { provider: 'bedrock' }, 's2')],
    );
    const by = ['gen_ai.provider.name', 'pi.user'] as const;
    const all = amountsOf(await readingIn(ledger), 'pi.usage.records', ...by);
    expect(all).toEqual({ 'aws.bedrock,': 3n });
    expect(amountsOf(await readingIn(ledger, true), 'pi.usage.records', ...by)).toEqual({
      'aws.bedrock,ada': 2n,
      'aws.bedrock,bob': 1n,
    });
  });

  it('leave a name out that is not known', async () => {
    const ledger = await homes.holding([turn(at, { provider: null, model: null })]);
    const points = (await readingIn(ledger)).metrics.flatMap((each) => each.points);
    expect(points.flatMap(({ attributes }) => Object.values(attributes))).not.toContain('');
    expect(points[0]?.attributes).not.toHaveProperty('gen_ai.provider.name');
  });

  it('count what a copy and a subagent spent by their kinds', async () => {
    const spend = spendOf({ costNanoUsd: 40 });
    const ledger = await homes.holding([
      began,
      event('pi.compaction.completed.v1', { at }, { spend }),
      event('pi.usage.recorded.v1', { at }, { kind: 'cache_warm', spend }),
    ]);
    expect(amountsOf(await readingIn(ledger), 'pi.cost.usd', 'pi.spend.kind')).toEqual({
      compaction: 40n,
      cache_warm: 40n,
    });
  });
});

describe('a reading', () => {
  it('names another generation after a view was folded anew, with the same amounts', async () => {
    const ledger = await homes.holding([began, turn(at, { costNanoUsd: 7 })]);
    const before = await readingIn(ledger);
    await ledger.subscription.rebuild('sessions');
    const after = await readingIn(ledger);
    expect(after.generation).not.toBe(before.generation);
    expect(after.metrics).toEqual(before.metrics);
    expect((await readingIn(ledger)).generation).toBe(after.generation);
  });

  it('is none while a view has never been folded', async () => {
    const { views } = await homes.holding([began, turn(at)]);
    const unborn = { ...views, live: async () => null };
    expect(await createCounters(unborn, { users: false, now: Date.now }).read()).toBeNull();
  });

  it('is read again when a view is swapped meanwhile', async () => {
    const ledger = await homes.holding([began, turn(at, { costNanoUsd: 7 })]);
    await ledger.subscription.catchUp();
    const { views } = ledger;
    let isSwapped = false;
    const swapping = {
      ...views,
      live: views.live,
      async sum(...asked: Parameters<typeof views.sum>) {
        const rows = await views.sum(...asked);
        if (!isSwapped) await ledger.subscription.rebuild('sessions');
        isSwapped = true;
        return rows;
      },
    };
    const reading = await createCounters(swapping, { users: false, now: Date.now }).read();
    expect(reading?.generation).toBe((await readingIn(ledger)).generation);
  });
});

it('rows that were sealed without the source of costs say what has no price', async () => {
  const dimensions = { provider: 'anthropic', model: 'sonnet', billing: 'metered', costSource: '' };
  const measures = { records: 10n, nanoUsd: 500n, unpricedRecords: 2n, unreportedRecords: 1n };
  const { cost, records } = spendPoints([{ dimensions, measures }], false);
  const said = [...(await cost()), ...(await records())].map((point) => [
    point.attributes['pi.cost.source'],
    'amount' in point ? point.amount : null,
  ]);
  expect(said).toEqual([
    [undefined, 500n],
    [undefined, 7n],
    ['unpriced', 2n],
    ['unreported', 1n],
  ]);
});
