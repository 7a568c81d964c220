/** `model_change` and `thinking_level_change` entries. */
import { type EventDraft, noSizes } from './draft.ts';
import type { Entry } from './entry.ts';
import { entryDraft, entryFields, type Session } from './entry-draft.ts';
import { asText } from './fields.ts';
import { modelOf, type PathState } from './path-state.ts';

export function recordModelChange(
  session: Session,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.model.changed.v1'> {
  return entryDraft('pi.model.changed.v1', session, entry, {
    ...entryFields(entry, above, noSizes),
    changed: 'model',
    ...modelOf(entry.body),
    thinkingLevel: null,
    role: asText(entry.body.role),
  });
}

export function recordThinkingLevelChange(
  session: Session,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.model.changed.v1'> {
  return entryDraft('pi.model.changed.v1', session, entry, {
    ...entryFields(entry, above, noSizes),
    changed: 'thinkingLevel',
    provider: null,
    model: null,
    thinkingLevel: asText(entry.body.thinkingLevel),
    role: null,
  });
}
