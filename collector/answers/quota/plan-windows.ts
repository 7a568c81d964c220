/**
 * One plan's windows over time, and what several plans used of them. Pure.
 *
 * A window is told in every session that uses the plan: the most that any of them was told by an
 * hour is what was used by then. What is used of one window never falls.
 */
import { hourMs, minuteMs } from '@pi-ledger/core/time/units';
import type { StoredShares } from '../../projections/quota/window-shares.ts';

export interface PlanWindow {
  readonly startMs: number;
  readonly endMs: number;
  /** The last hour in which something was told of it. */
  readonly toldMs: number;
  /** What was used by the end of these hours: sorted, and rising from above zero. */
  readonly steps: readonly Step[];
}

interface Step {
  /** The start of the hour. */
  readonly atMs: number;
  /** In millionths of the window. */
  readonly used: number;
}

export interface Span {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** Ends that are told in seconds left differ a little; two plans of one user differ by more. */
const sameEndMinutes = 5;
const whole = 1_000_000;

/** `told`: of one plan and window, which lasts so long. Sorted by their end. */
export function planWindows(
  told: readonly StoredShares[],
  lengthMs: number,
): readonly PlanWindow[] {
  const sorted = told.toSorted((left, right) => left.endMinute - right.endMinute);
  const same: StoredShares[][] = [];
  for (const each of sorted) {
    const last = same.at(-1);
    const end = last?.[0]?.endMinute ?? Number.NEGATIVE_INFINITY;
    if (last === undefined || each.endMinute - end > sameEndMinutes) same.push([each]);
    else last.push(each);
  }
  return same.map((each) => oneWindow(each, lengthMs));
}

function oneWindow(told: readonly StoredShares[], lengthMs: number): PlanWindow {
  const hours = told
    .flatMap((each) => [...each.hours])
    .toSorted(([left, most], [right, more]) => left - right || most - more);
  const steps: Step[] = [];
  for (const [hour, used] of hours)
    if (used > (steps.at(-1)?.used ?? 0)) steps.push({ atMs: hour * hourMs, used });
  const endMs = (told.at(-1)?.endMinute ?? 0) * minuteMs;
  const toldMs = (hours.at(-1)?.[0] ?? 0) * hourMs;
  return { startMs: endMs - lengthMs, endMs, toldMs, steps };
}

export interface PlansUse {
  /** Those that were in use in this time. */
  readonly windows: number;
  /** In windows: 2.5 are two full ones and a half. */
  readonly used: number;
  readonly full: number;
  /** The most that was used at one time of all that were open, in windows. */
  readonly peak: number;
  readonly peakAtMs: number;
}

/** `windows`: of all plans. Null: none was in use in this time. */
export function useOf(windows: readonly PlanWindow[], span: Span): PlansUse | null {
  const used = windows.filter((window) => isInUse(window, span));
  if (used.length === 0) return null;
  const { peak, peakAtMs } = peakOf(windows, span);
  return {
    windows: used.length,
    used: used.reduce((sum, window) => sum + usedWithin(window, span), 0) / whole,
    full: used.filter((window) => usedBy(window, span.untilMs) >= whole).length,
    peak: peak / whole,
    peakAtMs,
  };
}

/** Something was told of it that was used: one that is full may be told to be so for days. */
export function isInUse(
  { steps: [first], toldMs }: PlanWindow,
  { sinceMs, untilMs }: Span,
): boolean {
  return first !== undefined && first.atMs < untilMs && toldMs >= sinceMs;
}

function usedWithin(window: PlanWindow, { sinceMs, untilMs }: Span): number {
  return usedBy(window, untilMs) - usedBy(window, sinceMs);
}

/** Before this time. */
function usedBy({ steps }: PlanWindow, beforeMs: number): number {
  return steps.findLast(({ atMs }) => atMs < beforeMs)?.used ?? 0;
}

function peakOf(
  windows: readonly PlanWindow[],
  { sinceMs, untilMs }: Span,
): Pick<PlansUse, 'peak' | 'peakAtMs'> {
  const changes = windows.flatMap(changesOf);
  const later = changes.filter(({ atMs }) => atMs > sinceMs && atMs < untilMs);
  let sum = changes.reduce((all, { atMs, more }) => (atMs <= sinceMs ? all + more : all), 0);
  let [peak, peakAtMs] = [sum, sinceMs];
  // What ends makes room first.
  for (const { atMs, more } of later.toSorted(
    (left, right) => left.atMs - right.atMs || left.more - right.more,
  )) {
    sum += more;
    if (sum > peak) [peak, peakAtMs] = [sum, Math.max(sinceMs, hourOf(atMs))];
  }
  return { peak, peakAtMs };
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / hourMs) * hourMs;
}

interface Change {
  readonly atMs: number;
  readonly more: number;
}

/** Nothing is used in the hour's part before a window begins: the one before it was open then. */
function changesOf({ startMs, endMs, steps }: PlanWindow): readonly Change[] {
  const fromMs = startMs + sameEndMinutes * minuteMs;
  const rises = steps.map(({ atMs, used }, index) => ({
    atMs: Math.max(atMs, fromMs),
    more: used - (steps[index - 1]?.used ?? 0),
  }));
  return [...rises, { atMs: endMs, more: -(steps.at(-1)?.used ?? 0) }];
}
