export const backoffFirstMs = 1_000;
export const backoffMaxMs = 5 * 60 * 1000;

/**
 * Exponential with full jitter: many producers that lost their collector together do not return
 * together. `failures` in a row, from 1; `random` in [0, 1).
 */
export function backoffMs(failures: number, random: number): number {
  return Math.round(random * Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.min(failures, 20)));
}
