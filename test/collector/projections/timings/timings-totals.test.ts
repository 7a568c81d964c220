/** The counters of `timings`: what is measured counts once, and nothing is taken back. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import {
  cumulative,
  totalAnswers,
  totalErrors,
  totalRuns,
  totalTools,
} from '../../../../collector/projections/timings/totals.ts';
import { createTimings, timings } from '../../../../collector/projections/timings.ts';
import { anyEvent, inTwoOrders } from '../support/any-event.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf } from '../support/given.ts';
import { moves } from '../support/given-moves.ts';
import { measuredEvent, measuredOrMoved } from './measured-events.ts';

const at = '2026-11-22T10:00:00.000Z';

function answer(durationMs: number | null, data: object = {}): LedgerEvent {
  return event('pi.turn.completed.v1', { at }, { spend: spendOf({}), durationMs, ...data });
}

const entry = (toolName: string, durationMs: number | null) =>
  event('pi.tool.completed.v1', { at }, { toolName, durationMs, isError: false });
const live = (toolName: string, durationMs: number) =>
  event('pi.tool.timed.v1', { at }, { toolName, durationMs });

describe('counters of answers, errors and runs', () => {
  it('count each under what is known when it comes, and move nothing', () => {
    const folded = fold(timings, [
      answer(15, { timeToFirstTokenMs: 9, stopReason: 'stop' }),
      attributed(at, { project: 'shop' }),
      answer(1_500, { timeToFirstTokenMs: null, stopReason: 'stop' }),
      answer(null, { stopReason: 'error', errorStatus: 529, timeToFirstTokenMs: null }),
      event('pi.retry.scheduled.v1', { at }, { provider: 'anthropic', model: 'sonnet' }),
      event('pi.run.completed.v1', { at }, { durationMs: 150, outcome: 'completed' }),
      attributed(at, { project: 'side', agent: { kind: 'subagent', name: 'scout' } }),
    ]);
    const rows = folded.rows(totalAnswers, 'project', 'provider', 'model');
    expect(rows).toMatchObject({
      ',anthropic,sonnet': { retries: 0n, durationUs: 15_000n, duration1: 1n, first0: 1n },
      'shop,anthropic,sonnet': { retries: 1n, durationUs: 1_500_000n, duration8: 1n, firstUs: 0n },
    });
    expect(folded.rows(totalErrors, 'project', 'status')).toEqual({
      'shop,529': { failedAnswers: 1n },
    });
    expect(folded.rows(totalRuns, 'project', 'agent', 'outcome')).toMatchObject({
      'shop,,completed': { durationUs: 150_000n, duration1: 1n },
    });
  });

  it('count an entry once, wherever it moves', () => {
    const failed = answer(null, { stopReason: 'error', errorStatus: 500 });
    const folded = fold(timings, [attributed(at), failed, ...moves(failed, 's2')]);
    expect(folded.sums(totalErrors, 'failedAnswers', 'project')).toEqual({ shop: 1n });
  });

  it('hold nothing of an ignored project', () => {
    const rules = { ...noRules, projects: [{ match: 'shop', ignore: true as const }] };
    const given = [attributed(at), answer(15), entry('read', 3), live('bash', 4)];
    const { emitted } = fold(createTimings(rules), given);
    expect(emitted).toEqual([]);
  });
});

describe('counters of tools', () => {
  const durations = (...given: readonly LedgerEvent[]) =>
    Object.entries(fold(timings, given).rows(totalTools, 'tool')).map(([tool, row]) => [
      tool,
      row.calls,
      row.durationUs,
      row.duration0,
    ]);

  it('count a duration once that the host saw and the entry holds, whichever comes first', () => {
    const both = [live('read', 2), entry('read', 2), live('read', 3), entry('read', 3)];
    expect(durations(...both)).toEqual([['read', 2n, 5_000n, 2n]]);
    expect(durations(...both.toReversed())).toEqual([['read', 2n, 5_000n, 2n]]);
  });

  it('keep what was live before entries held any, and go on', () => {
    const before = [live('bash', 1), entry('bash', null), live('bash', 1), entry('bash', null)];
    const after = [live('bash', 5), entry('bash', 5)];
    expect(durations(...before, ...after)).toEqual([['bash', 3n, 7_000n, 3n]]);
  });

  it('count failures beside calls', () => {
    const failed = event('pi.tool.completed.v1', { at }, { toolName: 'read', isError: true });
    expect(fold(timings, [entry('read', null), failed]).rows(totalTools, 'tool')).toMatchObject({
      read: { calls: 2n, failures: 1n },
    });
  });
});

describe('counters of timings, whatever arrives', () => {
  const anything = fc.oneof(
    { weight: 3, arbitrary: measuredOrMoved },
    { weight: 1, arbitrary: anyEvent },
  );

  it('never fall, and are the same after restarts anywhere', () => {
    const places = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(inTwoOrders(anything), places, ([, given], stops) => {
        const whole = fold(timings, given);
        const fallen = whole.emitted.filter(
          ({ rollup, measures }) =>
            cumulative.includes(rollup) && measures.some((each) => each < 0n),
        );
        expect(fallen).toEqual([]);
        const isReloaded = (position: number) => stops[position % stops.length] ?? false;
        const stopped = fold(timings, given, { isReloaded });
        for (const rollup of cumulative)
          expect(stopped.rows(rollup, ...rollup.dimensions)).toEqual(
            whole.rows(rollup, ...rollup.dimensions),
          );
      }),
      { numRuns: 200 },
    );
  });

  it('come to what the corrected rows say, but for tools, where nothing comes late', () => {
    fc.assert(
      fc.property(fc.array(measuredEvent, { maxLength: 40 }), (given) => {
        const folded = fold(timings, [attributed(at), attributed(at, {}, 's2'), ...given]);
        for (const [rollup, sibling] of [
          [timings.rollups[0], totalAnswers],
          [timings.rollups[3], totalRuns],
        ] as const) {
          if (rollup === undefined) throw new Error('there are four');
          for (const measure of sibling.measures)
            expect(folded.sums(sibling, measure)).toMatchObject(
              Object.fromEntries(
                Object.entries(folded.sums(rollup, measure)).filter(([, sum]) => sum !== 0n),
              ),
            );
        }
      }),
      { numRuns: 100 },
    );
  });
});
