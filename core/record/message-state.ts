/** The state of a path after a message. */
import { type Entry, messageOf, roleOf, timeMsOf } from './entry.ts';
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import type { LastAnswer, PathState, ToolCall } from './path-state.ts';
import { charsIn, contentSizes } from './sizes.ts';
import { isReported } from './spend.ts';

export function afterMessage(state: PathState, entry: Entry): PathState {
  switch (roleOf(entry)) {
    case 'user':
      return { ...afterContent(state, entry), promptEntryId: entry.key, turns: 0 };
    case 'assistant': {
      const message = messageOf(entry);
      const answer = reportedAnswer(message);
      return {
        ...state,
        turns: state.turns + 1,
        turnEntryId: entry.key,
        turnAtMs: timeMsOf(entry.timestamp),
        toolCalls: asList(message.content).flatMap(toolCallsOf),
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
function afterContent(state: PathState, entry: Entry): PathState {
  const chars = state.answer === null ? 0 : charsIn(contentSizes(messageOf(entry).content));
  return chars === 0 ? state : { ...state, charsSince: state.charsSince + chars };
}

function toolCallsOf(value: unknown): ToolCall[] {
  const block = asObject(value);
  const id = asString(block?.id);
  if (block?.type !== 'toolCall' || id === null) return [];
  return [
    {
      id,
      name: asText(block.name) ?? 'unknown',
      paths: namedPaths(asObject(block.arguments) ?? {}),
    },
  ];
}

/** `path` in every host's file tools, `paths` in some of omp's. */
function namedPaths(args: JsonObject): string[] {
  return [args.path, ...asList(args.paths)].filter((path) => typeof path === 'string');
}
