/** The state of a path after a message. */
import { type Entry, entryMessage, entryRole, parseTimeMs } from './entry.ts';
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import { charsIn, contentSizes } from './sizes.ts';
import { isReported } from './spend.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Paths in its arguments, unchanged. */
  readonly paths: readonly string[];
  /** Whose result it asks for, where it names a subagent by an id of its package. */
  readonly agentId?: string;
}

/** What messages change. */
export interface MessageState {
  /** The nearest user entry, this entry included. */
  readonly promptEntryId: string | null;
  /** Assistant entries since that prompt, this entry included. */
  readonly turns: number;
  /** The nearest assistant entry, this entry included, and its tool calls. */
  readonly turnEntryId: string | null;
  /** When that entry was written. */
  readonly turnAtMs: number | null;
  readonly toolCalls: readonly ToolCall[];
  /** The provider that it names: what its tools spend belongs to it, unless they say otherwise. */
  readonly turnProvider: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** The nearest answer that reported its usage, this entry included; null before the first. */
  readonly answer: LastAnswer | null;
  /**
   * Characters of messages since that answer, without attempts that reported nothing: hosts do not
   * resend those.
   */
  readonly charsSince: number;
}

export interface LastAnswer {
  readonly provider: string | null;
  readonly model: string | null;
  /** The host's object. */
  readonly usage: JsonObject;
}

export function afterMessage<State extends MessageState>(state: State, entry: Entry): State {
  switch (entryRole(entry)) {
    case 'user':
      return { ...afterContent(state, entry), promptEntryId: entry.key, turns: 0 };
    case 'assistant': {
      const message = entryMessage(entry);
      const answer = reportedAnswer(message);
      return {
        ...state,
        turns: state.turns + 1,
        turnEntryId: entry.key,
        turnAtMs: parseTimeMs(entry.timestamp),
        toolCalls: asList(message.content).flatMap(readToolCalls),
        turnProvider: asText(message.provider),
        provider: asText(message.provider) ?? state.provider,
        model: asText(message.model) ?? state.model,
        ...(answer !== null && { answer, charsSince: 0 }),
      };
    }
    default:
      return afterContent(state, entry);
  }
}

function reportedAnswer(message: JsonObject): LastAnswer | null {
  const usage = asObject(message.usage);
  if (usage === null || !isReported(usage)) return null;
  return { provider: asText(message.provider), model: asText(message.model), usage };
}

/** Counts only after an answer. */
function afterContent<State extends MessageState>(state: State, entry: Entry): State {
  const chars = state.answer === null ? 0 : charsIn(contentSizes(entryMessage(entry).content));
  return chars === 0 ? state : { ...state, charsSince: state.charsSince + chars };
}

function readToolCalls(value: unknown): ToolCall[] {
  const block = asObject(value);
  const id = asString(block?.id);
  if (block?.type !== 'toolCall' || id === null) return [];
  const args = asObject(block.arguments) ?? {};
  const agentId = asText(args.agent_id);
  return [
    {
      id,
      name: asText(block.name) ?? 'unknown',
      paths: namedPaths(args),
      ...(agentId !== null && { agentId }),
    },
  ];
}

/** `path` in every host's file tools, `paths` in some of omp's. */
function namedPaths(args: JsonObject): string[] {
  return [args.path, ...asList(args.paths)].filter((path) => typeof path === 'string');
}
