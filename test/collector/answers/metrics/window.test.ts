/** How full windows get, and compactions, as counters: real events, through the real store. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { attributed, event, spendOf } from '../../projections/support/given.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { offer } from '../../support/two-people.ts';
import { amountsOf, histogramsOf, readingIn } from './readings.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();
const at = '2026-11-22T10:00:00.000Z';

function sample(tokens: number, more: { time?: string; session?: string; source?: 'estimate' }) {
  const { time = at, session = 's1', source = 'provider' } = more;
  return event(
    'pi.context.sampled.v1',
    { at: time, session },
    { provider: 'anthropic', model: 'sonnet', tokens, windowTokens: 200_000, source },
  );
}

function compaction(entryId: string, data: { tokensBefore: number | null; time?: string }) {
  const { tokensBefore, time = at } = data;
  return event('pi.compaction.completed.v1', { at: time }, { entryId, tokensBefore, spend: null });
}

function timed(entryId: string, trigger: string | null, durationMs: number | null) {
  return event('pi.compaction.timed.v1', { at }, { entryId, trigger, durationMs });
}

function answer(time: string, inputTokens: number): LedgerEvent {
  const spend = spendOf({ inputTokens, cacheReadTokens: 500 });
  return event('pi.turn.completed.v1', { at: time }, { spend });
}

describe('counters of windows', () => {
  it('count the shares that providers counted, by model and project', async () => {
    const ledger = await homes.holding([
      attributed(at),
      sample(20_000, {}),
      sample(190_000, {}),
      sample(199_000, { source: 'estimate' }),
    ]);
    const by = ['gen_ai.provider.name', 'gen_ai.request.model', 'pi.project'] as const;
    const found = histogramsOf(await readingIn(ledger), 'pi.context.utilization', ...by);
    expect(found).toEqual({
      'anthropic,sonnet,shop': {
        bounds: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1],
        counts: [1n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 1n, 0n, 0n],
        sum: 1_050_000n,
      },
    });
  });

  it('say the highest share of each project in the last hour, of all its sessions', async () => {
    const ledger = await homes.holding(
      [attributed(at), sample(150_000, { time: '2026-11-22T08:50:00.000Z' }), sample(30_000, {})],
      [attributed(at, {}, 's2'), sample(90_000, { session: 's2' })],
      [
        attributed(at, { project: 'old' }, 's3'),
        sample(180_000, { session: 's3', time: '2026-11-22T09:00:00.000Z' }),
      ],
    );
    const highest = async (now: string) =>
      amountsOf(
        await readingIn(ledger, false, () => Date.parse(now)),
        'pi.context.utilization.max',
        'pi.project',
      );
    expect(await highest('2026-11-22T10:30:00.000Z')).toEqual({ shop: 450_000n });
    // What a clock that runs ahead has sampled is not of this hour yet.
    expect(await highest('2026-11-22T09:40:00.000Z')).toEqual({ old: 900_000n });
    expect(await highest('2026-11-22T12:00:00.000Z')).toEqual({});
  });

  it('say nothing of an ignored project', async () => {
    const given = [
      attributed(at),
      sample(150_000, {}),
      timed('c1', 'manual', 900),
      compaction('c1', { tokensBefore: 100 }),
      answer('2026-11-22T10:01:00.000Z', 20),
    ];
    const subject = await guarded.open({
      rules: { projects: [{ match: 'shop', ignore: true }], billing: {}, labels: [] },
    });
    await offer(subject, given);
    const { ledger } = subject;
    const points = (await readingIn(ledger)).metrics.flatMap((each) => each.points);
    expect(points).toEqual([]);
  });
});

describe('counters of compactions', () => {
  const by = ['pi.compaction.trigger', 'pi.outcome'] as const;

  it('count each under its trigger where the host said it before, and how it ended', async () => {
    const failed = (trigger: string | null, aborted: boolean) =>
      event('pi.compaction.failed.v1', { at }, { trigger, aborted });
    const ledger = await homes.holding([
      attributed(at),
      timed('c1', 'threshold', 2_000),
      compaction('c1', { tokensBefore: 180_000 }),
      compaction('c2', { tokensBefore: null }),
      timed('c2', 'manual', 50_000),
      failed('overflow', false),
      failed(null, true),
    ]);
    const found = await readingIn(ledger);
    expect(amountsOf(found, 'pi.compaction.count', ...by)).toEqual({
      'threshold,completed': 1n,
      'unknown,completed': 1n,
      'overflow,failed': 1n,
      'unknown,aborted': 1n,
    });
    const durations = histogramsOf(found, 'pi.compaction.duration', 'pi.compaction.trigger');
    expect(Object.entries(durations).map(([trigger, { sum }]) => [trigger, sum])).toEqual([
      ['manual', 50_000_000n],
      ['threshold', 2_000_000n],
    ]);
    const before = histogramsOf(found, 'pi.compaction.tokens_before', 'pi.project');
    expect(before.shop?.sum).toBe(180_000n);
    expect(before.shop?.counts.indexOf(1n)).toBe(8);
  });

  it('measure the first answer after each, and no other', async () => {
    const ledger = await homes.holding([
      attributed(at),
      answer('2026-11-22T09:59:00.000Z', 100_000),
      compaction('c1', { tokensBefore: null }),
      answer('2026-11-22T10:01:00.000Z', 20_000),
      answer('2026-11-22T10:02:00.000Z', 30_000),
      compaction('c2', { tokensBefore: null, time: '2026-11-22T10:03:00.000Z' }),
      answer('2026-11-22T10:04:00.000Z', 1_000),
    ]);
    const after = histogramsOf(await readingIn(ledger), 'pi.compaction.tokens_after', 'pi.project');
    expect(after.shop?.sum).toBe(22_000n);
    expect(after.shop?.counts.reduce((sum, count) => sum + count)).toBe(2n);
  });
});
