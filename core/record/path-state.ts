/**
 * What the path from the root says at an entry: the prompt being answered, the current model, the
 * tool calls awaiting results.
 *
 * States are values. `advance` returns the next one and shares whatever did not change, so keeping
 * one per entry costs little.
 */
import type { Entry } from './entry.ts';
import { asString, asText, type JsonObject } from './fields.ts';
import { afterMessage, type MessageState } from './message-state.ts';
import { readMark } from './privacy.ts';

export interface PathState extends MessageState {
  readonly thinkingLevel: string | null;
  /**
   * A private stretch stands before the entry in its file: a summary may tell of it, and so does
   * every later summary.
   */
  readonly followsPrivate: boolean;
}

/** Above the first entry. */
export const rootState: PathState = {
  promptEntryId: null,
  turns: 0,
  turnEntryId: null,
  turnAtMs: null,
  toolCalls: [],
  turnProvider: null,
  provider: null,
  model: null,
  thinkingLevel: null,
  answer: null,
  charsSince: 0,
  followsPrivate: false,
};

/** The state at `entry`, given the state at its parent. */
export function advance(state: PathState, entry: Entry): PathState {
  switch (entry.type) {
    case 'message':
      return afterMessage(state, entry);
    case 'model_change':
      return afterModelChange(state, entry.body);
    case 'thinking_level_change':
      return { ...state, thinkingLevel: asText(entry.body.thinkingLevel) };
    case 'custom':
      return readMark(entry)?.state === 'resumed' ? afterPause(state) : state;
    default:
      return state;
  }
}

/** Nothing of a private stretch but the model that goes on answering. */
export function afterPause({ provider, model, thinkingLevel }: PathState): PathState {
  return { ...rootState, provider, model, thinkingLevel, followsPrivate: true };
}

/**
 * A model change names the model in two fields (pi) or as `provider/model` (omp; model names may
 * contain slashes).
 */
export function readModel(body: JsonObject): { provider: string | null; model: string | null } {
  const joined = asString(body.model);
  if (joined === null) return { provider: asText(body.provider), model: asText(body.modelId) };
  const slash = joined.indexOf('/');
  return {
    provider: asText(joined.slice(0, Math.max(slash, 0))),
    model: asText(joined.slice(slash + 1)),
  };
}

/**
 * The file's order decides, not only the path: a host that moves in the tree writes the summary of
 * what it leaves below what it moves to.
 */
export function withPrivacy(state: PathState, followsPrivate: boolean): PathState {
  return state.followsPrivate || !followsPrivate ? state : { ...state, followsPrivate };
}

/** omp also changes models of other roles (`smol`, `slow`), which do not answer here. */
function afterModelChange(state: PathState, body: JsonObject): PathState {
  const role = asText(body.role) ?? 'default';
  return role === 'default' || role === 'fallback' ? { ...state, ...readModel(body) } : state;
}
