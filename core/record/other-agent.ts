/**
 * Messages of another agent: omp continues sessions of Claude Code and Codex in a file of its own,
 * where each of their messages has an id that begins with the agent's name. They are part of the
 * context and nothing else: what they spent, and the figures are repeated or missing there, was
 * never this host's spend.
 */
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import type { PathState } from './path-state.ts';
import { contentSizes } from './sizes.ts';

/** The host's own ids are hexadecimal. */
const ids = /^(?:claude|codex)-/;

export function isOfOtherAgent({ id, type }: Entry): boolean {
  return type === 'message' && ids.test(id);
}

export function recordOfOtherAgent(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  role: string,
): EventDraft<'pi.message.appended.v1'> {
  const sizes = contentSizes(entryMessage(entry).content);
  return entryDraft('pi.message.appended.v1', session, entry, {
    ...entryFields(entry, above, sizes),
    role,
  });
}
