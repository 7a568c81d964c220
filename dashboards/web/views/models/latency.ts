/** Where percentiles stand on the one scale of a table. */
import type { Percentile } from '@pi-ledger/contract/answers';
import { linearScale, logScale } from '../../charts/scale.ts';
import { formatLatency } from '../../format/latency.ts';

export interface Timed {
  readonly durationP50: Percentile | null;
  readonly durationP95: Percentile | null;
}

export interface LatencyScale {
  /** In px, of a range `width` px wide. */
  x(ms: number): number;
  readonly width: number;
  /** `on 0 to 40.0 s` */
  readonly words: string;
}

/** Above this, the short ones would have no length on a scale from 0. */
const linearRatioMax = 50;

/** One scale for all rows: from 0, or logarithmic where they differ by far. */
export function latencyScale(rows: readonly Timed[], width: number): LatencyScale {
  const all = rows.flatMap(({ durationP50, durationP95 }) =>
    durationP50 === null || durationP95 === null ? [] : [durationP50.ms, durationP95.ms],
  );
  if (all.length === 0) return { x: () => 0, width, words: 'nothing was timed' };
  const longest = Math.max(1, ...all);
  const shortest = Math.max(1, Math.min(longest, ...all));
  if (longest / shortest <= linearRatioMax) {
    const x = linearScale([0, longest], [0, width]);
    return { x, width, words: `on 0 to ${formatLatency(longest)}` };
  }
  const x = logScale([shortest, longest], [0, width]);
  const words = `on ${formatLatency(shortest)} to ${formatLatency(longest)}, logarithmic`;
  return { x: (ms) => x(Math.max(ms, shortest)), width, words };
}
