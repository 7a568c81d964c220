/**
 * The path to a session's leaf with the weight of each entry, for commands. Entries that this
 * process did not record are weighed now, by the recorders, and cached: a second command only
 * weighs new ones.
 */
import type { Entry } from '../../core/record/entry.ts';
import { rootState } from '../../core/record/path-state.ts';
import { recordEntry } from '../../core/record/record-entry.ts';
import type { HostSession } from '../host/session.ts';
import type { PathItem } from './context-breakdown.ts';
import { pathEntriesMax } from './progress.ts';
import type { SessionState } from './session-state.ts';
import { storeWeight, type Weight, weightless } from './weights.ts';

/** 15 us each. Entries further up are left out until the next command. */
const weighedAtOnceMax = 5_000;

export function weighPath(state: SessionState, host: HostSession): readonly PathItem[] {
  const path: PathItem[] = [];
  let weighed = 0;
  let id = host.leafId();
  while (id !== null && path.length < pathEntriesMax && weighed < weighedAtOnceMax) {
    const known: Weight | undefined = state.weights.get(id);
    const entry: Entry | null = known === undefined ? host.entry(id) : null;
    if (entry !== null) weighed += 1;
    const weight: Weight | null = known ?? (entry === null ? null : weigh(state, entry));
    if (weight === null) break;
    path.push({ id, weight });
    id = weight.parentId;
  }
  return path.reverse();
}

function weigh(state: SessionState, entry: Entry): Weight {
  const session = { id: state.id, cwd: null };
  try {
    for (const draft of recordEntry(session, entry, rootState)) storeWeight(state.weights, draft);
  } catch {
    // It cannot be read, which was counted when it was recorded: it weighs nothing.
  }
  const weight = state.weights.get(entry.key) ?? weightless(entry.parentId);
  state.weights.set(entry.id, weight);
  return weight;
}
