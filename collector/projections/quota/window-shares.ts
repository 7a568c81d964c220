/**
 * How full the windows of plans were, hour by hour, as far as one session was told. Only windows of
 * an hour or more, of which something was used and whose end was told: shorter ones are rate limits
 * of an interface.
 *
 * Guarantees: a function of the set of statements in any order. Of more than `hoursMax` hours of
 * all windows together, the latest are kept.
 */
import { hourMs, minuteMs } from '@pi-ledger/core/time/units';
import { compareText } from '../session/compare-text.ts';
import { planWindow, type Statement, shareOf } from './statement.ts';

/** One window of one plan. */
interface WindowShares {
  readonly provider: string;
  readonly window: string;
  /** The nearest minute: some providers tell how many seconds are left. */
  readonly endMinute: number;
  /** By hour since 1970: the most that was said to be used then, in millionths. */
  readonly hours: Map<number, number>;
}

export type SharesByWindow = Map<string, WindowShares>;

/** As it is stored. */
export interface StoredShares extends Omit<WindowShares, 'hours'> {
  readonly hours: readonly (readonly [hour: number, millionths: number])[];
}

const millionths = 1_000_000;
/** A session is told of three windows each hour: two weeks without a pause. */
const hoursMax = 1_024;

export function noteShare(windows: SharesByWindow, statement: Statement): void {
  const { provider, window, time, resetAtMs } = statement;
  const atMs = Date.parse(time);
  const share = usedShare(statement);
  const plan = planWindow(window);
  if (plan === null || plan.lengthMs < hourMs) return;
  if (resetAtMs === null || share === null || share <= 0) return;
  // Beyond it, even where clocks differ, it is not this window that ends then.
  if (resetAtMs < atMs || resetAtMs > atMs + plan.lengthMs + hourMs) return;
  const endMinute = Math.round(resetAtMs / minuteMs);
  const key = JSON.stringify([provider, window, endMinute]);
  const known = windows.get(key) ?? { provider, window, endMinute, hours: new Map() };
  const hour = Math.floor(atMs / hourMs);
  known.hours.set(hour, Math.max(known.hours.get(hour) ?? 0, Math.round(share * millionths)));
  windows.set(key, known);
  if (hoursIn(windows) > hoursMax) dropOldest(windows);
}

/** A plan that is refused is used up, whatever its share is rounded to. */
function usedShare(statement: Statement): number | null {
  const share = shareOf(statement);
  return statement.status === 'rejected' ? Math.max(1, share ?? 1) : share;
}

function hoursIn(windows: SharesByWindow): number {
  let count = 0;
  for (const { hours } of windows.values()) count += hours.size;
  return count;
}

function dropOldest(windows: SharesByWindow): void {
  const all = sorted(windows).flatMap(([key, { hours }]) =>
    [...hours.keys()].map((hour) => ({ key, hour })),
  );
  const oldest = all.reduce((old, each) => (each.hour < old.hour ? each : old));
  const hours = windows.get(oldest.key)?.hours;
  hours?.delete(oldest.hour);
  if (hours?.size === 0) windows.delete(oldest.key);
}

function sorted(windows: SharesByWindow): [string, WindowShares][] {
  return [...windows].toSorted(([left], [right]) => compareText(left, right));
}

export function storedShares(windows: SharesByWindow): readonly StoredShares[] {
  return sorted(windows).map(([, { provider, window, endMinute, hours }]) => ({
    ...{ provider, window, endMinute },
    hours: [...hours].toSorted(([left], [right]) => left - right),
  }));
}

export function sharesByWindow(stored: readonly StoredShares[]): SharesByWindow {
  return new Map(
    stored.map(({ provider, window, endMinute, hours }) => [
      JSON.stringify([provider, window, endMinute]),
      { provider, window, endMinute, hours: new Map(hours) },
    ]),
  );
}
