/**
 * Finds the state at an entry that this process has not followed, by searching up the path only for
 * what a state holds, so that a long history costs one walk.
 */
import { type Entry, entryMessage, entryRole } from '../../core/record/entry.ts';
import { asObject, asText } from '../../core/record/fields.ts';
import { advance, type PathState, rootState } from '../../core/record/path-state.ts';
import { readMark } from '../../core/record/privacy.ts';
import { isReported } from '../../core/record/spend.ts';
import type { HostSession } from '../host/session.ts';
import { pathEntriesMax } from './progress.ts';
import type { SessionState } from './session-state.ts';

/** Folds the relevant entries between the nearest known state, or the root, and this entry. */
export function lookUp(state: SessionState, host: HostSession, fromId: string): PathState {
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

/** Usually only at the top of the file, a long way up. */
const thinkingLevelChanges: ReadonlySet<unknown> = new Set(['thinking_level_change']);

/**
 * Every turn counts since the last prompt, and all content since the last reported answer; above
 * these, only the nearest entry of each kind.
 */
function newNeeds() {
  const found = { prompt: false, turn: false, model: false, thinkingLevel: false, answer: false };
  const first = (kind: keyof typeof found): boolean => {
    const isFirst = !found[kind];
    found[kind] = true;
    return isFirst;
  };
  const takeTurn = (entry: Entry): boolean => {
    const message = entryMessage(entry);
    const givesModel =
      asText(message.provider) !== null && asText(message.model) !== null && first('model');
    const isAnswer = !found.answer && isReported(asObject(message.usage) ?? {}) && first('answer');
    return first('turn') || givesModel || isAnswer || !found.prompt;
  };
  /** Above the end of a private stretch, only the model counts. */
  const endsAt = () => {
    Object.assign(found, { prompt: true, turn: true, answer: true });
    return true;
  };
  return {
    /** Until only the thinking level is missing. */
    isOpen: () => !(found.prompt && found.turn && found.model && found.answer),
    wantsThinkingLevel: () => !found.thinkingLevel,
    /** Whether the next entry up is relevant. */
    take(entry: Entry): boolean {
      switch (entry.type === 'message' ? entryRole(entry) : entry.type) {
        case 'user':
          return first('prompt') || !found.answer;
        case 'assistant':
          return takeTurn(entry);
        case 'model_change':
          // A model change of another role does not affect the current model: it neither counts nor
          // ends the search.
          return advance(rootState, entry) !== rootState && first('model');
        case 'thinking_level_change':
          return first('thinkingLevel');
        case 'custom':
          return readMark(entry)?.state === 'resumed' && endsAt();
        default:
          return entry.type === 'message' && !found.answer;
      }
    },
  };
}
