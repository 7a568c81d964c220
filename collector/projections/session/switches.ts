/**
 * When the recording of a session was paused and resumed, by entry: a function of the set of
 * events. Beyond `switchesMax`, the newest are kept.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { compareText } from './compare-text.ts';

export interface Switch {
  readonly at: string;
  readonly entryId: string;
  readonly state: 'paused' | 'resumed';
  /** How many entries were not recorded; null with `paused`. */
  readonly entries: number | null;
}

export type Switches = Map<string, Switch>;

const switchesMax = 1_000;

export function addSwitch(
  switches: Switches,
  { time, data }: LedgerEvent<'pi.recording.switched.v1'>,
): void {
  const { entryId, state, entries } = data;
  switches.set(switchKey(time, entryId), { at: time, entryId, state, entries });
  if (switches.size <= switchesMax) return;
  const [oldest] = [...switches.keys()].sort(compareText);
  if (oldest !== undefined) switches.delete(oldest);
}

/** It now counts in another session. */
export function removeSwitch(
  switches: Switches,
  { time, data }: LedgerEvent<'pi.recording.switched.v1'>,
): void {
  switches.delete(switchKey(time, data.entryId));
}

export function encodeSwitches(switches: Switches): readonly Switch[] {
  return [...switches].sort(([left], [right]) => compareText(left, right)).map(([, each]) => each);
}

export function decodeSwitches(body: readonly Switch[]): Switches {
  return new Map(body.map((each) => [switchKey(each.at, each.entryId), each]));
}

/** What of the session is private; null: it was never paused. */
export function privateSummary(
  switches: Switches,
): { readonly entries: number; readonly pausedSince: string | null } | null {
  const sorted = encodeSwitches(switches);
  if (sorted.length === 0) return null;
  const lastResumed = sorted.findLastIndex(({ state }) => state === 'resumed');
  return {
    entries: sorted.reduce((sum, { entries }) => sum + (entries ?? 0), 0),
    pausedSince: sorted[lastResumed + 1]?.at ?? null,
  };
}

/** Sorts by time. */
function switchKey(time: string, entryId: string): string {
  return `${time} ${entryId}`;
}
