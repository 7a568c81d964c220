/**
 * Where the window that is open now begins.
 *
 * A window from its first use begins with the first record after the previous one's end. So all of
 * them follow from the first use after a pause as long as a window: any window before it has ended.
 * Where no such pause is known, the first use known is taken for one, and the start is estimated.
 */
import { hourMs } from '@pi-ledger/core/time/units';
import type { OwnLimit } from './limits.ts';
import type { UsedAt } from './used-hours.ts';

export interface OpenWindow {
  /** It is null when no window is open. */
  readonly startsAtMs: number | null;
  readonly isStartEstimated: boolean;
}

/** The use of one person, by hour, and by minute for one of its hours. */
export interface Uses {
  /** There is nothing unknown after this time. */
  readonly knownFromMs: number;
  readonly hours: readonly UsedAt[];
  minutesOf(hourMs: number): Promise<readonly UsedAt[]>;
}

export async function openWindow(
  uses: Uses,
  { windowMs, starts }: Pick<OwnLimit, 'windowMs' | 'starts'>,
  nowMs: number,
): Promise<OpenWindow> {
  if (starts === 'rolling') return { startsAtMs: nowMs - windowMs, isStartEstimated: false };
  const hours = uses.hours.filter(({ messages }) => messages > 0n).map(({ atMs }) => atMs);
  const pauseBefore = (atMs: number, index: number): number =>
    atMs - (index === 0 ? uses.knownFromMs : (hours[index - 1] ?? 0) + hourMs);
  const first = hours.findLastIndex((atMs, index) => pauseBefore(atMs, index) >= windowMs);
  const isStartEstimated = first < 0;
  let startsAtMs = await firstUse(uses, hours, hours[Math.max(first, 0)] ?? nowMs);
  while (startsAtMs !== null && startsAtMs + windowMs <= nowMs)
    startsAtMs = await firstUse(uses, hours, startsAtMs + windowMs);
  return { startsAtMs, isStartEstimated: startsAtMs !== null && isStartEstimated };
}

/** The minute of the first use at this time or later; null: there is none. */
async function firstUse(
  { minutesOf }: Uses,
  hours: readonly number[],
  fromMs: number,
): Promise<number | null> {
  for (const each of hours.slice(firstHourAt(hours, fromMs))) {
    const minutes = await minutesOf(each);
    const found = minutes.find(({ atMs, messages }) => atMs >= fromMs && messages > 0n);
    if (found !== undefined) return found.atMs;
  }
  return null;
}

/** The index of the first hour that ends after this time. */
function firstHourAt(hours: readonly number[], fromMs: number): number {
  const index = hours.findIndex((atMs) => atMs + hourMs > fromMs);
  return index < 0 ? hours.length : index;
}

/** What was used from the start to now, to the minute. */
export async function usedSince(uses: Uses, startsAtMs: number): Promise<readonly UsedAt[]> {
  const whole = uses.hours.filter(({ atMs }) => atMs >= startsAtMs);
  const cut = uses.hours.find(({ atMs }) => atMs < startsAtMs && atMs + hourMs > startsAtMs);
  if (cut === undefined) return whole;
  const startMinuteMs = Math.floor(startsAtMs / 60_000) * 60_000;
  const minutes = await uses.minutesOf(cut.atMs);
  return [...minutes.filter(({ atMs }) => atMs >= startMinuteMs), ...whole];
}
