/** Converts a message's entry to events, by its role. */
import { recordAccount, recordToolAccount } from './account.ts';
import { recordClaims } from './claim.ts';
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage, entryRole } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { recordEstimate } from './estimate.ts';
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
import { recordLinks } from './link.ts';
import { recordMessage, recordPrompt } from './message.ts';
import { nestedModel } from './nested-model.ts';
import { isOfOtherAgent, recordOfOtherAgent } from './other-agent.ts';
import type { PathState } from './path-state.ts';
import { projectPaths } from './paths.ts';
import { contentSizes } from './sizes.ts';
import { answeredIn, readSpend } from './spend.ts';
import { recordToolUsage } from './tool-usage.ts';
import { recordUnknown } from './usage.ts';

export function recordMessageEntry(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  const role = entryRole(entry) ?? 'unknown';
  if (isOfOtherAgent(entry)) return [recordOfOtherAgent(session, entry, above, role)];
  switch (role) {
    case 'user':
      return [recordPrompt(session, entry, above)];
    case 'assistant':
      return recordAnswer(session, entry, above);
    case 'toolResult':
      return recordResult(session, entry, above);
    default:
      return [
        recordMessage(session, entry, above, role),
        ...present(recordUnknown(session, entry, above, role)),
      ];
  }
}

function recordAnswer(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  const turn = recordTurn(session, entry, above);
  const { spend } = turn.data;
  return [
    turn,
    ...recordAccount(session, entry, spend),
    ...present(recordEstimate(session, entry, above, spend)),
  ];
}

function recordResult(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  const tool = recordTool(session, entry, above);
  return [
    tool,
    ...recordToolAccount(session, entry, tool.data.spend),
    ...recordToolUsage(session, entry, above),
    ...recordClaims(session, entry, above),
    ...recordLinks(session, entry, above),
  ];
}

function present(draft: EventDraft | null): readonly EventDraft[] {
  return draft === null ? [] : [draft];
}

// A tool's result, including failed ones and unknown tools.

function recordTool(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.tool.completed.v1'> {
  const message = entryMessage(entry);
  const details = asObject(message.details);
  const callId = asString(message.toolCallId);
  const call = above.toolCalls.find((candidate) => candidate.id === callId);
  const data = {
    ...entryFields(entry, above, contentSizes(message.content)),
    turnEntryId: above.turnEntryId,
    toolCallId: asText(callId),
    toolName: asText(message.toolName) ?? call?.name ?? 'unknown',
    isError: message.isError === true,
    durationMs: asDurationMs(message.durationMs),
    paths: projectPaths(session.cwd, namedPaths(call?.paths ?? [], details)),
    spend:
      asObject(message.usage) === null
        ? null
        : readSpend(message.usage, nestedModel(details, above)),
  };
  return entryDraft('pi.tool.completed.v1', session, entry, data, {
    responseId: null,
    usage: message.usage,
  });
}

/** omp's edit tool takes a patch as text; the changed files are in the result's details. */
function namedPaths(called: readonly string[], details: JsonObject | null): readonly string[] {
  if (details === null) return called;
  const files = asList(details.perFileResults).map((file) => asObject(file)?.path);
  return [...called, details.path, ...files].filter((path) => typeof path === 'string');
}

// An assistant message: an answer or a failed attempt.

function recordTurn(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.turn.completed.v1'> {
  const message = entryMessage(entry);
  const answered = answeredIn(message);
  const data = {
    ...entryFields(entry, above, contentSizes(message.content)),
    turnIndex: above.turns,
    spend: readSpend(message.usage, answered),
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
