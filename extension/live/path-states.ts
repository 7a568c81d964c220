/**
 * Path states in a session that was not followed from its beginning. A state is computed when an
 * entry below first needs it; path-lookup.ts searches it.
 */
import type { Entry } from '../../core/record/entry.ts';
import { advance, type PathState, rootState } from '../../core/record/path-state.ts';
import type { HostSession } from '../host/session.ts';
import { lookUp } from './path-lookup.ts';
import type { SessionState } from './session-state.ts';

/**
 * The state at an entry's parent. An entry whose parent is gone starts at the root, as in the
 * hosts.
 */
export function stateAbove(state: SessionState, host: HostSession | null, entry: Entry): PathState {
  return entry.parentId === null ? rootState : stateAt(state, host, entry.parentId);
}

/**
 * Computes the leaf's state when a session starts or moves, so that no tool has to wait for it:
 * milliseconds in a session of 20,000 entries.
 */
export function resolveLeaf(state: SessionState, host: HostSession): void {
  const leafId = host.leafId();
  if (leafId !== null) stateAt(state, host, leafId);
}

function stateAt(state: SessionState, host: HostSession | null, entryId: string): PathState {
  const known = state.pathStates.get(entryId);
  if (known !== undefined) return known;
  const found = host === null ? rootState : lookUp(state, host, entryId);
  state.pathStates.set(entryId, found);
  return found;
}

/** Marks the entry as seen and stores its state for the entries that follow. */
export function markSeen(state: SessionState, entry: Entry, above: PathState): void {
  state.seen.add(entry.id);
  state.pathStates.set(entry.id, advance(above, entry));
}
