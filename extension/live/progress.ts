/** Finds the entries of a session that were not seen yet. */
import type { Entry } from '../../core/record/entry.ts';
import type { EntryList, HostSession } from '../host/session.ts';
import type { SessionState } from './session-state.ts';

/** No session is this long; a damaged one could contain a cycle. */
export const pathEntriesMax = 100_000;

/** From the leaf up to the first seen entry, oldest first. 0.2 us per entry. */
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

/** On any branch, from an index in file order. */
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
 * Hosts only append, so it is enough to look after the last known entry; if that has moved (omp can
 * remove an entry), everything is scanned.
 */
export function scanFrom(state: SessionState, entries: EntryList): number {
  const { count, lastId } = state.scanned;
  return entries.idAt(count - 1) === lastId ? count : 0;
}

export function noteScanned(state: SessionState, entries: EntryList): void {
  state.scanned = { count: entries.length, lastId: entries.idAt(entries.length - 1) };
}
