/**
 * Places in a session that was not followed from its beginning. They are worked out when a first
 * entry below needs one, by looking up the path only for what a place can hold, so that a long
 * history costs a walk and no more.
 */
import type { HostSession } from '../host/host.ts';
import { type Entry, messageOf, roleOf } from '../record/entry.ts';
import { asObject, asText } from '../record/fields.ts';
import { advance, type PathState, rootState } from '../record/path-state.ts';
import { isReported } from '../record/spend.ts';
import { pathEntriesMax } from './progress.ts';
import type { SessionState } from './session-state.ts';

/**
 * The place at an entry's parent. An entry whose parent is gone stands at the root, as the hosts
 * have it.
 */
export function stateAbove(state: SessionState, host: HostSession | null, entry: Entry): PathState {
  return entry.parentId === null ? rootState : stateAt(state, host, entry.parentId);
}

/**
 * Works out the leaf's place where a session starts or has moved, so that no tool has to wait for
 * it: milliseconds in a session of 20,000 entries.
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

/** The entry was seen; what follows it finds its place. */
export function markSeen(state: SessionState, entry: Entry, above: PathState): void {
  state.seen.add(entry.id);
  state.pathStates.set(entry.id, advance(above, entry));
}

/** Folds what matters between the nearest known place, or the root, and this entry. */
function lookUp(state: SessionState, host: HostSession, fromId: string): PathState {
  const needs = newNeeds();
  const matters: Entry[] = [];
  let id: string | null = fromId;
  let steps = 0;
  let known: PathState | undefined;
  while (id !== null && known === undefined && needs.isOpen() && steps < pathEntriesMax) {
    const entry: Entry | null = host.entry(id);
    if (entry !== null && needs.take(entry)) matters.push(entry);
    id = entry?.parentId ?? null;
    known = id === null ? undefined : state.pathStates.get(id);
    steps += 1;
  }
  if (id !== null && known === undefined && needs.wantsThinkingLevel()) {
    const { entry, stoppedAt } = host.climb(id, thinkingLevelChanges, pathEntriesMax, (above) =>
      state.pathStates.has(above),
    );
    if (entry !== null) matters.push(entry);
    known = state.pathStates.get(stoppedAt ?? '');
  }
  return matters.reverse().reduce(advance, known ?? rootState);
}

/** As a rule it stands at the top of the file and nowhere else: the way there is long. */
const thinkingLevelChanges: ReadonlySet<unknown> = new Set(['thinking_level_change']);

/**
 * Below the prompt every turn counts, below the nearest reported answer all content; above them,
 * only the nearest of each kind.
 */
function newNeeds() {
  const found = { prompt: false, turn: false, model: false, thinkingLevel: false, answer: false };
  const first = (kind: keyof typeof found): boolean => {
    const isFirst = !found[kind];
    found[kind] = true;
    return isFirst;
  };
  const takeTurn = (entry: Entry): boolean => {
    const message = messageOf(entry);
    const givesModel =
      asText(message.provider) !== null && asText(message.model) !== null && first('model');
    const isAnswer = !found.answer && isReported(asObject(message.usage) ?? {}) && first('answer');
    return first('turn') || givesModel || isAnswer || !found.prompt;
  };
  return {
    /** Until the thinking level alone is left. */
    isOpen: () => !(found.prompt && found.turn && found.model && found.answer),
    wantsThinkingLevel: () => !found.thinkingLevel,
    /** Whether the entry matters, being the next one up. */
    take(entry: Entry): boolean {
      switch (entry.type === 'message' ? roleOf(entry) : entry.type) {
        case 'user':
          return first('prompt') || !found.answer;
        case 'assistant':
          return takeTurn(entry);
        case 'model_change':
          // Another role's model leaves the one in force alone: it neither counts nor ends the
          // search.
          return advance(rootState, entry) !== rootState && first('model');
        case 'thinking_level_change':
          return first('thinkingLevel');
        default:
          return entry.type === 'message' && !found.answer;
      }
    },
  };
}
