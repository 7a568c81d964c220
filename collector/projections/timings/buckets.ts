/**
 * Histograms of durations, as measures of rollups: a sum in microseconds, and a count for each
 * bucket. Counts of several rows add up, so percentiles of any selection come from the same rows.
 *
 * The bounds are those that OpenTelemetry's GenAI conventions advise
 * (open-telemetry/semantic-conventions-genai, as of November 2026): docs/gen-ai/client-inference.md
 * for `gen_ai.client.inference.duration` and `.time_to_first_chunk`, docs/gen-ai/gen-ai-metrics.md
 * for `gen_ai.execute_tool.duration` and `gen_ai.invoke_agent.duration`.
 */

export interface Histogram {
  /** Inclusive upper bounds. One more bucket holds what is above the last. */
  readonly boundsMs: readonly number[];
  /** The sum in microseconds, then the count of each bucket. */
  readonly measures: readonly [string, ...string[]];
}

const shortBoundsMs = [
  10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 40_960, 81_920,
];
const runBoundsMs = [
  100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 102_400, 204_800, 409_600,
];

/** From the request to the end of the answer. */
export const answerDurations = histogram('duration', shortBoundsMs);
/** From the request to the first token (omp) or the start of the stream (pi). */
export const firstDurations = histogram('first', shortBoundsMs);
export const toolDurations = histogram('duration', shortBoundsMs);
export const runDurations = histogram('duration', runBoundsMs);

/** Longer ones count as this long: nothing runs for a year, and sums stay in range. */
const durationMsMax = 365 * 24 * 3_600_000;

export function microseconds(ms: number): number {
  return Math.round(Math.min(ms, durationMsMax) * 1_000);
}

/** Index of the bucket that a duration is in. */
export function findBucket({ boundsMs }: Histogram, ms: number): number {
  const index = boundsMs.findIndex((bound) => ms <= bound);
  return index < 0 ? boundsMs.length : index;
}

function histogram(name: string, boundsMs: readonly number[]): Histogram {
  const counts = [...boundsMs, null].map((_, index) => `${name}${index}`);
  return { boundsMs, measures: [`${name}Us`, ...counts] };
}
