/**
 * Converts a session entry to events. This is the only place that maps entry types to recorders.
 * The live extension and the importers both use it, so both create the same events with the same
 * ids.
 *
 * Pure: the same entry with the same state gives the same events. Bookkeeping entries (labels,
 * titles, extensions' own data) give none, nor does an entry without a readable time, which could
 * not be ordered or identified.
 */
import { recordAccount, recordBesideAccounts, recordToolAccount } from './account.ts';
import { recordClaims } from './claim.ts';
import { recordBranchSummary, recordCompaction } from './compaction.ts';
import { recordContextEdit, recordContextReset } from './context-edit.ts';
import type { EventDraft } from './draft.ts';
import { type Entry, roleOf, timeMsOf } from './entry.ts';
import type { Session } from './entry-draft.ts';
import { recordEstimate } from './estimate.ts';
import { recordLinks } from './link.ts';
import { recordCustomMessage, recordMessage, recordPrompt } from './message.ts';
import { recordModelChange, recordThinkingLevelChange } from './model.ts';
import { isOfOtherAgent, recordOfOtherAgent } from './other-agent.ts';
import type { PathState } from './path-state.ts';
import { recordSwitch } from './recording-switch.ts';
import { recordTool } from './tool.ts';
import { recordToolUsage } from './tool-usage.ts';
import { recordTurn } from './turn.ts';
import { recordExtensionUsage, recordSideCall, recordUnknown, recordUsage } from './usage.ts';

/** `above` is the state at the entry's parent; `rootState` without one. */
export function recordEntry(
  session: Session,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  if (timeMsOf(entry.timestamp) === null) return [];
  const drafts = recordOfType(session, entry, above);
  return [...drafts, ...recordBesideAccounts(session, entry, drafts)];
}

function recordOfType(session: Session, entry: Entry, above: PathState): readonly EventDraft[] {
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

function recordMessageEntry(
  session: Session,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  const role = roleOf(entry) ?? 'unknown';
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

function recordAnswer(session: Session, entry: Entry, above: PathState): readonly EventDraft[] {
  const turn = recordTurn(session, entry, above);
  const { spend } = turn.data;
  return [
    turn,
    ...recordAccount(session, entry, spend),
    ...present(recordEstimate(session, entry, above, spend)),
  ];
}

function recordResult(session: Session, entry: Entry, above: PathState): readonly EventDraft[] {
  const tool = recordTool(session, entry, above);
  return [
    tool,
    ...recordToolAccount(session, entry, tool.data.spend),
    ...recordToolUsage(session, entry, above),
    ...recordClaims(session, entry, above),
    ...recordLinks(session, entry),
  ];
}

function present(draft: EventDraft | null): readonly EventDraft[] {
  return draft === null ? [] : [draft];
}
