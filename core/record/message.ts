/**
 * Other messages of the conversation: the user's prompts, and messages of every other role. Sizes
 * only.
 */
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { asList, asText, type JsonObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import { contentSizes, definitionChars, systemSizes, textChars, withOther } from './sizes.ts';

export function recordPrompt(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.prompt.submitted.v1'> {
  const message = entryMessage(entry);
  return entryDraft('pi.prompt.submitted.v1', session, entry, {
    ...entryFields(entry, above, contentSizes(message.content)),
    attribution: asText(message.attribution),
  });
}

/** System and developer messages, the user's shell commands, messages of extensions. */
export function recordMessage(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  role: string,
): EventDraft<'pi.message.appended.v1'> {
  const message = entryMessage(entry);
  const shellChars = textChars(message.command) + textChars(message.output);
  const sizes = withOther(systemSizes(message), shellChars);
  return entryDraft('pi.message.appended.v1', session, entry, {
    ...entryFields(entry, above, sizes),
    role,
    ...toolChange(message),
  });
}

function toolChange(message: JsonObject) {
  const [toolsAdded, toolsRemoved] = [
    asList(message.toolsAdded).length,
    asList(message.toolsRemoved).length,
  ];
  return toolsAdded + toolsRemoved === 0
    ? {}
    : { toolDefinitionChars: definitionChars(message), toolsAdded, toolsRemoved };
}

/** A `custom_message` entry: an extension's message that is part of the context. */
export function recordCustomMessage(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.message.appended.v1'> {
  const sizes = contentSizes(entry.body.content);
  return entryDraft('pi.message.appended.v1', session, entry, {
    ...entryFields(entry, above, sizes),
    role: 'custom_message',
  });
}
