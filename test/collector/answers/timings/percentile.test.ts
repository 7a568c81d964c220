import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationsIn, percentileOf } from '../../../../collector/answers/timings/percentile.ts';
import { findBucket, toolDurations } from '../../../../collector/projections/timings/buckets.ts';

const { boundsMs, measures } = toolDurations;
const last = boundsMs.at(-1) ?? 0;

/** The sums of a rollup that holds these durations. */
function sumsOf(durations: readonly number[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const ms of durations) {
    const name = measures[1 + findBucket(toolDurations, ms)] ?? '';
    sums[name] = (sums[name] ?? 0n) + 1n;
  }
  return sums;
}

const percentile = (durations: readonly number[], share: number) =>
  percentileOf(toolDurations, sumsOf(durations), share);

describe('percentiles', () => {
  it('are not known of nothing', () => {
    expect(percentile([], 0.5)).toBeNull();
    expect(percentileOf(toolDurations, { duration3: 0n, calls: 4n }, 0.95)).toBeNull();
  });

  it('are interpolated within the bucket: one duration is in the middle of its own', () => {
    expect(percentile([15], 0.5)).toEqual({ ms: 15, is: 'interpolated' });
    expect(percentile([19], 0.5)).toEqual({ ms: 15, is: 'interpolated' });
    expect(percentile([19], 1)).toEqual({ ms: 20, is: 'interpolated' });
    expect(percentile([3], 0.5)).toEqual({ ms: 5, is: 'interpolated' });
    expect(percentile([1, 15, 15, 15], 0.5)).toEqual({ ms: 13.333, is: 'interpolated' });
  });

  it('count a duration at a bound in the bucket below it', () => {
    expect(percentile([20], 1)).toEqual({ ms: 20, is: 'interpolated' });
    expect(percentile([20.001], 1)).toEqual({ ms: 40, is: 'interpolated' });
  });

  it('are at least the last bound above it', () => {
    const long = [last + 1, last * 9];
    expect(percentile(long, 0.5)).toEqual({ ms: last, is: 'at least' });
    expect(percentile([1, 1, 1, ...long], 0.5)).toMatchObject({ is: 'interpolated' });
    expect(percentile([1, 1, 1, ...long], 0.95)).toEqual({ ms: last, is: 'at least' });
    expect(percentile([last], 0.95)).toMatchObject({ is: 'interpolated' });
  });

  it('lie in the bucket of the true one, and grow with the share', () => {
    const duration = fc.double({ min: 0, max: last * 2, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1 }),
        fc.constantFrom(0.5, 0.95),
        (each, share) => {
          const sorted = each.toSorted((left, right) => left - right);
          const truth = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          const found = percentile(each, share);
          if (truth > last) expect(found).toEqual({ ms: last, is: 'at least' });
          else {
            const bucket = findBucket(toolDurations, truth);
            expect(found?.ms).toBeGreaterThanOrEqual(boundsMs[bucket - 1] ?? 0);
            expect(found?.ms).toBeLessThanOrEqual(boundsMs[bucket] ?? last);
          }
          expect(percentile(each, 0.95)?.ms ?? 0).toBeGreaterThanOrEqual(
            percentile(each, 0.5)?.ms ?? 0,
          );
        },
      ),
    );
  });

  it('of two histograms together are those of all durations', () => {
    const durations = fc.array(fc.integer({ min: 0, max: last * 2 }));
    fc.assert(
      fc.property(durations, durations, (one, other) => {
        const [left, right] = [sumsOf(one), sumsOf(other)];
        const merged = Object.fromEntries(
          measures.map((name) => [name, (left[name] ?? 0n) + (right[name] ?? 0n)]),
        );
        const all = [...one, ...other];
        expect(percentileOf(toolDurations, merged, 0.95)).toEqual(percentile(all, 0.95));
        expect(durationsIn(toolDurations, merged)).toBe(BigInt(all.length));
      }),
    );
  });
});
