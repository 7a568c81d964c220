/** Finding the entries of a session that were not seen yet. */
import type { EntryList, HostSession } from '../host/host.ts';
import type { Entry } from '../record/entry.ts';
import type { SessionState } from './session-state.ts';

/** No session is that long; a damaged one could hold a cycle. */
export const pathEntriesMax = 100_000;

/** From the leaf up to the first entry that was seen; oldest first. 0.2 us an entry. */
export function unseenOnPath(state: SessionState, host: HostSession): readonly Entry[] {
  const unseen: Entry[] = [];
  let id = host.leafId();
  while (id !== null && !state.seen.has(id) && unseen.length < pathEntriesMax) {
    const entry = host.entry(id);
    if (entry === null) break;
    unseen.push(entry);
    id = entry.parentId;
  }
  return unseen.reverse();
}

/** On any branch, from an index of the file order on. */
export function unseenFrom(
  state: SessionState,
  entries: EntryList,
  from: number,
): readonly Entry[] {
  const unseen: Entry[] = [];
  for (let index = from; index < entries.length; index += 1) {
    const id = entries.idAt(index);
    const entry = id === null || state.seen.has(id) ? undefined : entries.at(index);
    if (entry !== undefined) unseen.push(entry);
  }
  return unseen;
}

/**
 * Hosts only ever append, so that it is enough to look behind what was there last time; where that
 * has moved (omp can take an entry back), at everything.
 */
export function scanFrom(state: SessionState, entries: EntryList): number {
  const { count, lastId } = state.scanned;
  return entries.idAt(count - 1) === lastId ? count : 0;
}

export function noteScanned(state: SessionState, entries: EntryList): void {
  state.scanned = { count: entries.length, lastId: entries.idAt(entries.length - 1) };
}
