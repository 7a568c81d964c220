/**
 * Converts a session entry to events. This is the only place that maps entry types to recorders.
 * The live extension and the importers both use it, so both create the same events with the same
 * ids.
 *
 * Pure: the same entry with the same state gives the same events. Bookkeeping entries (labels,
 * titles, extensions' own data) give none, nor does an entry without a readable time, which could
 * not be ordered or identified.
 */
import { recordBesideAccounts } from './account.ts';
import { recordBranchSummary, recordCompaction } from './compaction.ts';
import { recordContextEdit, recordContextReset } from './context-edit.ts';
import { type EventDraft, noSizes } from './draft.ts';
import { type Entry, parseTimeMs } from './entry.ts';
import { entryDraft, entryFields, type RecordedSession } from './entry-draft.ts';
import { asText } from './fields.ts';
import { recordCustomMessage } from './message.ts';
import { recordMessageEntry } from './message-entry.ts';
import { type PathState, readModel } from './path-state.ts';
import { recordSwitch } from './recording-switch.ts';
import { recordExtensionUsage, recordSideCall, recordUnknown, recordUsage } from './usage.ts';

/** `above` is the state at the entry's parent; `rootState` without one. */
export function recordEntry(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  if (parseTimeMs(entry.timestamp) === null) return [];
  const drafts = recordOfType(session, entry, above);
  if (session.parent == null) return drafts;
  return [...drafts, ...recordBesideAccounts(session, entry, drafts)];
}

function recordOfType(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  switch (entry.type) {
    case 'message':
      return recordMessageEntry(session, entry, above);
    case 'compaction':
      return [recordCompaction(session, entry, above)];
    case 'branch_summary':
      return [recordBranchSummary(session, entry, above)];
    case 'model_change':
      return [recordModelChange(session, entry, above)];
    case 'thinking_level_change':
      return [recordThinkingLevelChange(session, entry, above)];
    case 'custom_message':
      return [recordCustomMessage(session, entry, above)];
    case 'context_edit':
      return present(recordContextEdit(session, entry, above));
    case 'reset_boundary':
      return [recordContextReset(session, entry, above)];
    case 'usage':
      return [recordUsage(session, entry, above)];
    case 'model_usage':
      return [recordSideCall(session, entry, above)];
    case 'custom':
      return present(
        recordSwitch(session, entry) ??
          recordUnknown(session, entry, above, null) ??
          recordExtensionUsage(session, entry, above),
      );
    default:
      return present(recordUnknown(session, entry, above, null));
  }
}

function present(draft: EventDraft | null): readonly EventDraft[] {
  return draft === null ? [] : [draft];
}

// `model_change` and `thinking_level_change` entries.

function recordModelChange(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): EventDraft<'pi.model.changed.v1'> {
  return entryDraft('pi.model.changed.v1', session, entry, {
    ...entryFields(entry, above, noSizes),
    changed: 'model',
    ...readModel(entry.body),
    thinkingLevel: null,
    role: asText(entry.body.role),
  });
}

function recordThinkingLevelChange(
  session: RecordedSession,
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
