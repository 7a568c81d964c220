/**
 * The counters of the projection `utilization`. What is measured counts under the attribution known
 * when it is folded and stays there, so that no row ever falls. The log's order decides, so a
 * rebuild gives the same rows.
 */
import type { Amount } from '../amount.ts';
import type { Rollup } from '../projection.ts';
import { runDurations } from '../timings/buckets.ts';

/** An amount of each sample, and how many samples each bucket holds. */
export interface Buckets {
  /** Inclusive upper bounds. One more bucket holds what is above the last. */
  readonly bounds: readonly number[];
  /** The sum, then the count of each bucket. */
  readonly measures: readonly [string, ...string[]];
}

/** They are shares of the window, in millionths. */
export const shares = buckets(
  'sharePpm',
  'share',
  [
    100_000, 200_000, 300_000, 400_000, 500_000, 600_000, 700_000, 800_000, 900_000, 950_000,
    1_000_000,
  ],
);
const tokenBounds = [
  1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_024_000,
];
export const tokensBefore = buckets('tokensBefore', 'before', tokenBounds);
export const tokensAfter = buckets('tokensAfter', 'after', tokenBounds);

function buckets(sum: string, count: string, bounds: readonly number[]): Buckets {
  const counts = [...bounds, null].map((_, index) => `${count}${index}`);
  return { bounds, measures: [sum, ...counts] };
}

const common = ['project', 'user', 'host'] as const;

export const totalUtilization: Rollup = {
  name: 'total_utilization',
  dimensions: [...common, 'provider', 'model'],
  measures: [...shares.measures],
  indexes: [],
};

export const totalCompactions: Rollup = {
  name: 'total_compactions',
  /** `trigger`: empty when nobody said before the compaction was counted. */
  dimensions: [...common, 'trigger', 'outcome'],
  measures: ['compactions', ...runDurations.measures],
  indexes: [],
};

export const totalCompacted: Rollup = {
  name: 'total_compacted',
  dimensions: [...common],
  measures: [...tokensBefore.measures, ...tokensAfter.measures],
  indexes: [],
};

/** One sample, as amounts of the rollup's measures. */
export function toSample({ measures }: Rollup, { bounds, measures: own }: Buckets, value: number) {
  const bound = bounds.findIndex((each) => value <= each);
  return amountsAt(measures.indexOf(own[0]), bound < 0 ? bounds.length : bound, value);
}

export function amountsAt(start: number, bucket: number, value: number): Amount[] {
  const amounts: Amount[] = Array.from({ length: start + bucket + 2 }, () => 0);
  amounts[start] = value;
  amounts[start + 1 + bucket] = 1;
  return amounts;
}
