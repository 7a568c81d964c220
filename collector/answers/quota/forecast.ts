/** When a window is full if it goes on like this. Pure. */
import { hourMs } from '@pi-ledger/core/time/units';

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

/** Returns null if the window is full, is not full before its end, or it is too early to say. */
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

export interface RollingUse {
  /** Sorted by time; amounts are of the hour that begins then. */
  readonly hours: readonly { readonly atMs: number; readonly amount: bigint }[];
  /** In the same unit. */
  readonly limit: number;
  readonly windowMs: number;
  readonly nowMs: number;
}

/** The rate is that of this part of the window, of an hour at least. */
const recentPart = 5;

/**
 * When a rolling window is full, to the hour: use goes on at the latest rate, old use drops out.
 * Returns null when it is full already, or not within its length, or when little use says nothing.
 */
export function rollingFullAtMs({ hours, limit, windowMs, nowMs }: RollingUse): number | null {
  const usedSince = (fromMs: number): number =>
    hours.reduce((sum, { atMs, amount }) => (atMs >= fromMs ? sum + Number(amount) : sum), 0);
  const used = usedSince(nowMs - windowMs);
  if (used >= limit || used < limit * usedShareMin) return null;
  const recentMs = Math.max(hourMs, windowMs / recentPart);
  const perMs = usedSince(nowMs - recentMs) / recentMs;
  for (let aheadMs = hourMs; aheadMs <= windowMs; aheadMs += hourMs) {
    const left = usedSince(nowMs + aheadMs - windowMs);
    if (left + perMs * aheadMs >= limit) return nowMs + aheadMs;
  }
  return null;
}
