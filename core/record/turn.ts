/** An assistant message: an answer or a failed attempt. */
import type { EventDraft } from './draft.ts';
import { type Entry, messageOf } from './entry.ts';
import { entryDraft, entryFields, type Session } from './entry-draft.ts';
import {
  asCount,
  asDurationMs,
  asInteger,
  asList,
  asObject,
  asString,
  asText,
  type JsonObject,
} from './fields.ts';
import type { PathState } from './path-state.ts';
import { contentSizes } from './sizes.ts';
import { answeredIn, spendOf } from './spend.ts';

export function recordTurn(
  session: Session,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.turn.completed.v1'> {
  const message = messageOf(entry);
  const answered = answeredIn(message);
  const data = {
    ...entryFields(entry, above, contentSizes(message.content)),
    turnIndex: above.turns,
    spend: spendOf(message.usage, answered),
    thinkingLevel: asText(message.thinkingLevel) ?? above.thinkingLevel,
    stopReason: asText(message.stopReason),
    rawStopReason: asText(message.rawStopReason),
    errorStatus: asInteger(message.errorStatus),
    requestedAtMs: asCount(message.timestamp),
    durationMs: asDurationMs(message.durationMs) ?? asDurationMs(message.duration),
    timeToFirstTokenMs: asDurationMs(message.ttft),
    toolCalls: callsByName(message),
    ...nonMessageTokens(message),
  };
  return entryDraft('pi.turn.completed.v1', session, entry, data, {
    responseId: asString(message.responseId),
    usage: message.usage,
  });
}

/** omp stores its count of non-message tokens with each answer. */
function nonMessageTokens(
  message: JsonObject,
): { nonMessageTokens: number } | Record<string, never> {
  const tokens = asCount(asObject(message.contextSnapshot)?.nonMessageTokens);
  return tokens === null ? {} : { nonMessageTokens: tokens };
}

const toolNamesMax = 200;
const toolNameCharsMax = 200;

function callsByName(message: JsonObject): Record<string, number> {
  const calls = new Map<string, number>();
  for (const value of asList(message.content)) {
    const block = asObject(value);
    if (block?.type !== 'toolCall') continue;
    const name = (asText(block.name) ?? 'unknown').slice(0, toolNameCharsMax);
    if (calls.has(name) || calls.size < toolNamesMax) calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(calls);
}
