/** A tool's result, including failed ones and unknown tools. */
import type { EventDraft } from './draft.ts';
import { type Entry, messageOf } from './entry.ts';
import { entryDraft, entryFields, type Session } from './entry-draft.ts';
import { asDurationMs, asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import { nestedModel } from './nested-model.ts';
import type { PathState } from './path-state.ts';
import { projectPaths } from './paths.ts';
import { contentSizes } from './sizes.ts';
import { spendOf } from './spend.ts';

export function recordTool(
  session: Session,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.tool.completed.v1'> {
  const message = messageOf(entry);
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
      asObject(message.usage) === null ? null : spendOf(message.usage, nestedModel(details, above)),
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
