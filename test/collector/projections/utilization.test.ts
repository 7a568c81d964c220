/** The projection `utilization`, whatever order its events come in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utilization } from '../../../collector/projections/utilization.ts';
import { documentBytesMax } from '../../../collector/subscription/guard.ts';
import { anyEvent, inTwoOrders } from './support/any-event.ts';
import { fold } from './support/fold.ts';
import { event, spendOf } from './support/given.ts';

const time = fc
  .integer({ min: 0, max: 160 })
  .map((minutes) =>
    new Date(Date.parse('2026-11-21T22:10:00.000Z') + minutes * 60_000).toISOString(),
  );
const windowEvent = fc
  .tuple(
    time,
    fc.constantFrom('s1', 's2'),
    fc.constantFrom('c1', 'c2', 'c3'),
    fc.constantFrom(null, 'manual', 'overflow'),
    fc.integer({ min: 0, max: 400_000 }),
  )
  .chain(([at, session, entryId, trigger, tokens]) =>
    fc.constantFrom(
      event(
        'pi.context.sampled.v1',
        { at, session },
        { tokens, windowTokens: 200_000, source: 'provider' },
      ),
      event('pi.turn.completed.v1', { at, session }, { spend: spendOf({ inputTokens: tokens }) }),
      event('pi.compaction.completed.v1', { at, session }, { entryId, tokensBefore: tokens }),
      event('pi.compaction.timed.v1', { at, session }, { entryId, trigger, durationMs: tokens }),
      event('pi.compaction.failed.v1', { at, session }, { trigger, aborted: tokens > 9 }),
    ),
  );
const anything = inTwoOrders(
  fc.oneof({ weight: 3, arbitrary: windowEvent }, { weight: 1, arbitrary: anyEvent }),
);

describe('utilization', () => {
  it('has the same documents in any order', () => {
    fc.assert(
      fc.property(anything, ([given, shuffled]) => {
        const other = fold(utilization, shuffled, { isReloaded: true });
        expect(other.documents()).toEqual(fold(utilization, given).documents());
      }),
      { numRuns: 200 },
    );
  });

  it('never takes anything back, and counts the same after restarts anywhere', () => {
    const places = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(anything, places, ([, given], stops) => {
        const whole = fold(utilization, given);
        expect(whole.emitted.filter(({ measures }) => measures.some((each) => each < 0n))).toEqual(
          [],
        );
        const isReloaded = (position: number) => stops[position % stops.length] ?? false;
        const stopped = fold(utilization, given, { isReloaded });
        for (const rollup of utilization.rollups)
          expect(stopped.rows(rollup, ...rollup.dimensions)).toEqual(
            whole.rows(rollup, ...rollup.dimensions),
          );
      }),
      { numRuns: 200 },
    );
  });

  it('keeps the highest of each five minutes, for an hour', () => {
    const sample = (minute: number, tokens: number) =>
      event(
        'pi.context.sampled.v1',
        { at: new Date(minute * 60_000).toISOString() },
        { tokens, windowTokens: 100, source: 'provider' },
      );
    const given = [sample(1_000, 10), sample(1_004, 30), sample(1_001, 20), sample(940, 50)];
    const peaksOf = (...more: typeof given) =>
      fold(utilization, [...given, ...more]).states.get('s1')?.peaks;
    expect(peaksOf()).toEqual([
      [940, 500_000],
      [1_000, 300_000],
    ]);
    expect(peaksOf(sample(1_061, 70))).toEqual([
      [1_000, 300_000],
      [1_060, 700_000],
    ]);
  });

  it('stays small, however many compactions a session has', () => {
    const given = Array.from({ length: 2_000 }, (_, index) =>
      event(
        'pi.compaction.timed.v1',
        { at: new Date(index * 60_000).toISOString() },
        { entryId: `c${index}`, trigger: 'threshold' },
      ),
    );
    const { documents } = fold(utilization, given);
    expect(Buffer.byteLength(documents().s1 ?? '')).toBeLessThan(documentBytesMax / 1_000);
  });
});
