/**
 * Path states at the entries of one file, by entry id.
 *
 * Bounded: the newest `statesMax` entries are remembered. A branch from further back finds no state
 * and starts at the root; its spend is the same, but the prompt and model above it are unknown.
 */
import type { Entry } from '@pi-ledger/core/record/entry';
import { advance, type PathState, rootState } from '@pi-ledger/core/record/path-state';

export interface PathStates {
  /** The state at the entry; null when unknown. */
  at(entryId: string): PathState | null;
  /** The state at the last entry; the root before the first. */
  readonly last: PathState;
  put(entryId: string, state: PathState): void;
  /** The newest few, the oldest first, to continue from when the file has grown. */
  newest(): readonly SavedPathState[];
}

export type SavedPathState = readonly [entryId: string, state: PathState];

const statesMax = 20_000;
/** New entries are below the last one, or below the answer whose tools have just ended. */
const savedMax = 16;

export function createPathStates(saved: readonly SavedPathState[]): PathStates {
  const states = new Map<string, PathState>(saved);
  let last = saved.at(-1)?.[1] ?? rootState;
  return {
    at: (entryId) => states.get(entryId) ?? null,
    get last() {
      return last;
    },
    put(entryId, state) {
      last = state;
      states.delete(entryId);
      states.set(entryId, state);
      if (states.size <= statesMax) return;
      for (const oldest of states.keys()) {
        states.delete(oldest);
        break;
      }
    },
    newest: () => [...states].slice(-savedMax),
  };
}

/** An entry nested too deep for recursion changes nothing. */
export function advanced(above: PathState, entry: Entry): PathState {
  try {
    return advance(above, entry);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return above;
  }
}
