/** Answers, tool calls and results of parents and subagents, and what is recorded of them. */
import type { EventData, EventTypeName } from '../../../../contract/index.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';
import type { RecordedSession } from '../../../../core/record/entry-draft.ts';
import { type PathState, rootState } from '../../../../core/record/path-state.ts';
import { recorded as recordedEntry } from './recorded.ts';

export const parent: RecordedSession = { id: 'parent', cwd: null };
export const childOfTurn: RecordedSession = {
  id: 'child',
  cwd: null,
  parent: { sessionId: 'parent', key: 'turn:t1' },
};
export const childByName: RecordedSession = {
  id: 'child',
  cwd: null,
  parent: { sessionId: 'parent', key: 'agent:SubA' },
};
const above: PathState = { ...rootState, turnEntryId: 'turn' };

const cost = { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 };
export const usage = (input: number) => ({
  input,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  totalTokens: input + 9,
  cost,
});
export const answer = (input: number) => ({
  role: 'assistant',
  provider: 'p',
  model: 'm',
  responseId: `r${input}`,
  timestamp: input,
  usage: usage(input),
  content: [],
});
/** pi's example gives the total cost as a plain number. */
export const sum = (input: number) => ({
  input,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  cost: 0.5,
  contextTokens: 9,
  turns: 1,
});
export const task = (id: string, more: object = {}) => ({
  index: 0,
  id,
  agent: 'task',
  usage: usage(7),
  ...more,
});

export function recorded(
  message: Record<string, unknown>,
  of: RecordedSession = parent,
  at: PathState = above,
): readonly EventDraft[] {
  return recordedEntry({ type: 'message', message }, of, at);
}

export function resultOf(details: unknown, more: object = {}): Record<string, unknown> {
  return {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'subagent',
    content: [],
    details,
    ...more,
  };
}

function dataOf<Name extends EventTypeName>(
  drafts: readonly EventDraft[],
  type: Name,
): readonly EventData<Name>[] {
  return drafts.flatMap((draft) => (draft.type === type ? [draft.data as EventData<Name>] : []));
}

export const claims = (drafts: readonly EventDraft[]) => dataOf(drafts, 'pi.subagent.claimed.v1');
export const accounts = (drafts: readonly EventDraft[]) =>
  dataOf(drafts, 'pi.subagent.accounted.v1');
export const keysClaimed = (drafts: readonly EventDraft[]) => claims(drafts).map(({ key }) => key);
