/** When a window is full if it goes on like this. Pure. */

export interface Progress {
  readonly usedShare: number | null;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** When `usedShare` was true. */
  readonly atMs: number;
}

const elapsedMsMin = 10 * 60_000;
const elapsedShareMin = 0.05;
const usedShareMin = 0.05;

/** Null: not before the window ends, full already, or too early to say. */
export function fullAtMs({ usedShare, startsAtMs, endsAtMs, atMs }: Progress): number | null {
  if (usedShare === null || startsAtMs === null || endsAtMs === null) return null;
  const elapsedMs = atMs - startsAtMs;
  const isEnough =
    elapsedMs >= elapsedMsMin &&
    elapsedMs >= (endsAtMs - startsAtMs) * elapsedShareMin &&
    usedShare >= usedShareMin &&
    usedShare < 1;
  if (!isEnough) return null;
  const fullMs = Math.round(atMs + (elapsedMs * (1 - usedShare)) / usedShare);
  return fullMs < endsAtMs ? fullMs : null;
}
