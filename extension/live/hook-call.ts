/** One call of one hook: what it found, and what it will append at once. */
import { agentNameIn } from '../../core/record/agent-name.ts';
import { holdsSummary } from '../../core/record/compaction.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import type { Entry } from '../../core/record/entry.ts';
import { conversationTokens } from '../../core/record/orchestration.ts';
import { type PathState, withPrivacy } from '../../core/record/path-state.ts';
import { isPrivate, makesKnown, privacyAt } from '../../core/record/privacy.ts';
import { recordEntry } from '../../core/record/record-entry.ts';
import type { Drops } from '../../core/spool/spool.ts';
import type { Attribution } from '../attribution/attribution.ts';
import type { HostTools } from '../host/prompt.ts';
import type { HostSession } from '../host/session.ts';
import { markSeen, stateAbove } from './path-states.ts';
import type { ReportedContext } from './reported-context.ts';
import { observe } from './run.ts';
import type { PathEntry, SessionState } from './session-state.ts';

/** An entry that is not private, and what was recorded of it at once. */
export interface SeenEntry {
  readonly entry: Entry;
  readonly drafts: readonly EventDraft[];
}

export interface HookCall {
  readonly state: SessionState;
  readonly ctx: unknown;
  /** It is null when the host has already closed the session. */
  readonly host: HostSession | null;
  readonly tools: HostTools | null;
  readonly drafts: EventDraft[];
  /** Entries behind `drafts`: they go to the backlog if the spool refuses. */
  readonly entries: PathEntry[];
  /** Entries that go to the backlog in any case. */
  readonly later: PathEntry[];
  /** Applied once the append has succeeded. */
  attribution: Attribution | null;
  drops: Drops | null;
  context: ReportedContext | null;
  /** What is checked out; tells whether it changed. */
  head: string | null;
  /** The last entry in file order, if all entries were scanned. */
  scannedTo: Entry | null;
  /** Called once the append has succeeded. */
  onAppended: (() => void) | null;
}

export function newHookCall(
  state: SessionState,
  ctx: unknown,
  host: HostSession | null,
  tools: HostTools | null,
): HookCall {
  return {
    state,
    ctx,
    host,
    tools,
    drafts: [],
    entries: [],
    later: [],
    attribution: null,
    drops: null,
    context: null,
    head: null,
    scannedTo: null,
    onAppended: null,
  };
}

/**
 * Records entries just seen, as part of the current run. Calls `onFailure` for an entry that cannot
 * be read. A summary whose text may be sent is recorded off the host's path, because redaction
 * takes time. Private entries are only marked as seen. Returns the others.
 */
export function recordEntries(
  call: HookCall,
  entries: readonly Entry[],
  onFailure: () => void,
): readonly SeenEntry[] {
  const { state, host } = call;
  const seen: SeenEntry[] = [];
  for (const entry of entries) {
    state.agentName ??= agentNameIn(entry);
    const above = withPrivacy(stateAbove(state, host, entry), state.hasMarks);
    if (isHidden(state, entry)) {
      markSeen(state, entry, above);
      continue;
    }
    if (isUnknown(call) && !makesKnown(entry)) {
      markSeen(state, entry, above);
      state.held = [...state.held, { entry, above }];
      seen.push({ entry, drafts: [] });
      continue;
    }
    if (state.session.contentOf != null && holdsSummary(entry)) {
      markSeen(state, entry, above);
      call.later.push({ entry, above });
      seen.push({ entry, drafts: [] });
      continue;
    }
    const drafts = draftEntry(state, entry, above, onFailure);
    markSeen(state, entry, above);
    if (drafts.length > 0) call.entries.push({ entry, above });
    for (const draft of drafts) take(call, draft);
    seen.push({ entry, drafts });
  }
  return seen;
}

/** A session that began in a private stretch. */
function isUnknown({ state, attribution }: HookCall): boolean {
  return state.owesStart && attribution === null;
}

/** Call after the session's start. */
export function recordHeld(call: HookCall, onFailure: () => void): void {
  const { state } = call;
  for (const { entry, above } of state.held) {
    call.entries.push({ entry, above });
    call.drafts.push(...draftEntry(state, entry, above, onFailure));
  }
  state.held = [];
}

function take({ state, drafts }: HookCall, draft: EventDraft): void {
  drafts.push(draft);
  if (state.run !== null) observe(state.run, draft);
  if (draft.type !== 'pi.turn.completed.v1') return;
  state.unsampledTokens = sumContextTokens(draft);
  state.untimedTurn = draft.data;
}

/** Marks entries as seen that are too many to record now; they are recorded later. */
export function deferEntries(call: HookCall, entries: readonly Entry[]): readonly PathEntry[] {
  const { state, host } = call;
  return entries.flatMap((entry) => {
    const above = withPrivacy(stateAbove(state, host, entry), state.hasMarks);
    markSeen(state, entry, above);
    return isHidden(state, entry) ? [] : [{ entry, above }];
  });
}

/** Call in file order, once for each entry. */
function isHidden(state: SessionState, entry: Entry): boolean {
  state.privacy = privacyAt(state.privacy, entry);
  state.hasMarks ||= state.privacy !== 'none';
  return isPrivate(state.privacy, entry);
}

/** Contract: never throws. An unreadable entry gives no events, and is counted. */
export function draftEntry(
  state: SessionState,
  entry: Entry,
  above: PathState,
  onFailure: () => void,
): readonly EventDraft[] {
  try {
    return recordEntry(state.session, entry, above);
  } catch {
    onFailure();
    return [];
  }
}

/**
 * The context after the answer: everything sent and received. Null for an attempt that reported
 * nothing.
 */
function sumContextTokens(turn: EventDraft<'pi.turn.completed.v1'>): number | null {
  const { spend } = turn.data;
  if (!spend.reported) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } =
    conversationTokens(spend);
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
}
