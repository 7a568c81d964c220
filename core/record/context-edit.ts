/**
 * Entries that change what is sent of other entries, without changing them: pi >= 0.87 removes an
 * entry or replaces its content, omp drops everything above.
 */
import type { EventDraft } from './draft.ts';
import type { Entry } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { asEntryId, asObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import { contentSizes } from './sizes.ts';

/** Returns null if the edit names no entry. */
export function recordContextEdit(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.context.edited.v1'> | null {
  const targetEntryId = asEntryId(entry.body.targetId);
  if (targetEntryId === null) return null;
  const replacement = asObject(entry.body.replacement);
  return edited(session, entry, above, {
    targetEntryId,
    removed: replacement === null,
    content: replacement?.content,
  });
}

/** omp's `/clear`. */
export function recordContextReset(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.context.edited.v1'> {
  return edited(session, entry, above, { targetEntryId: null, removed: true, content: null });
}

interface Edit {
  readonly targetEntryId: string | null;
  readonly removed: boolean;
  readonly content: unknown;
}

function edited(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  { targetEntryId, removed, content }: Edit,
): EventDraft<'pi.context.edited.v1'> {
  const fields = entryFields(entry, above, contentSizes(content));
  return entryDraft('pi.context.edited.v1', session, entry, { ...fields, targetEntryId, removed });
}
