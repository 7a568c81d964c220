/** Converts a message's entry to events, by its role. */
import { recordAccount, recordToolAccount } from './account.ts';
import { recordClaims } from './claim.ts';
import type { EventDraft } from './draft.ts';
import { type Entry, roleOf } from './entry.ts';
import type { Session } from './entry-draft.ts';
import { recordEstimate } from './estimate.ts';
import { recordLinks } from './link.ts';
import { recordMessage, recordPrompt } from './message.ts';
import { isOfOtherAgent, recordOfOtherAgent } from './other-agent.ts';
import type { PathState } from './path-state.ts';
import { recordTool } from './tool.ts';
import { recordToolUsage } from './tool-usage.ts';
import { recordTurn } from './turn.ts';
import { recordUnknown } from './usage.ts';

export function recordMessageEntry(
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
