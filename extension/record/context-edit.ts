/**
 * Entries that change what of the others is sent, and touch none: pi >= 0.87 takes one out or gives
 * it other content, omp drops all above.
 */
import type { EventDraft } from './draft.ts';
import type { Entry } from './entry.ts';
import { entryDraft, entryFields, type Session } from './entry-draft.ts';
import { asEntryId, asObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import { contentSizes } from './sizes.ts';

/** Null for one that names no entry. */
export function recordContextEdit(
  session: Session,
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
  session: Session,
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
  session: Session,
  entry: Entry,
  above: PathState,
  { targetEntryId, removed, content }: Edit,
): EventDraft<'pi.context.edited.v1'> {
  const fields = entryFields(entry, above, contentSizes(content));
  return entryDraft('pi.context.edited.v1', session, entry, { ...fields, targetEntryId, removed });
}
