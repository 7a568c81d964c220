/**
 * Estimates how fast the context grows, and how many turns are left until the host compacts, from
 * the points since the last compaction or branch summary.
 */
import type { Point } from './series.ts';

export interface Forecast {
  /** Tokens per turn: the mean over the last answers; null with fewer than three. */
  readonly growthTokens: number | null;
  /**
   * It is null when the context does not grow or the threshold is unknown. 0: with the next turn.
   */
  readonly turnsLeft: number | null;
}

const turnsMin = 3;
const turnsMax = 10;

/** `points`: those of one path, by time. */
export function forecastOf(points: readonly Point[]): Forecast {
  const from = points.findLastIndex(({ kind }) => kind !== 'turn') + 1;
  const answers = points
    .slice(from)
    .filter(({ source }) => source === 'provider')
    .slice(-turnsMax);
  const [first, last] = [answers[0], answers.at(-1)];
  if (answers.length < turnsMin || first?.heldTokens == null || last?.heldTokens == null)
    return { growthTokens: null, turnsLeft: null };
  const growthTokens = (last.heldTokens - first.heldTokens) / (answers.length - 1);
  const left = last.untilThresholdTokens;
  return {
    growthTokens,
    turnsLeft:
      left === null || growthTokens <= 0 ? null : Math.max(0, Math.ceil(left / growthTokens)),
  };
}
