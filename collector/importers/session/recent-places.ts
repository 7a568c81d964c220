/**
 * The places at the entries of one file, by entry id.
 *
 * Bounded: the newest `placesMax` entries are remembered. A branch that goes off further back than
 * that finds no place and stands at the root; its spend is the same, only what was in force above
 * it (prompt, model) is not known.
 */
import { type PathState, rootState } from '@pi-ledger/extension/record/path-state';

export interface RecentPathStates {
  /** The place at the entry; null when it is not known. */
  at(entryId: string): PathState | null;
  /** The place at the entry taken last; the root before the first. */
  readonly last: PathState;
  put(entryId: string, place: PathState): void;
  /** The newest few, oldest first, to go on from when the file has grown. */
  newest(): readonly SavedPathState[];
}

export type SavedPathState = readonly [entryId: string, place: PathState];

const statesMax = 20_000;
/** New entries hang below the last one, or below the answer whose tools have just ended. */
const savedMax = 16;

export function createRecentPathStates(saved: readonly SavedPathState[]): RecentPathStates {
  const places = new Map<string, PathState>(saved);
  let last = saved.at(-1)?.[1] ?? rootState;
  return {
    at: (entryId) => places.get(entryId) ?? null,
    get last() {
      return last;
    },
    put(entryId, place) {
      last = place;
      places.delete(entryId);
      places.set(entryId, place);
      if (places.size <= statesMax) return;
      for (const oldest of places.keys()) {
        places.delete(oldest);
        break;
      }
    },
    newest: () => [...places].slice(-savedMax),
  };
}
