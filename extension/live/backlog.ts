/**
 * Entries that were seen and are not in the spool: behind the mark of a resumed session, or refused
 * by a full or unwritable spool.
 *
 * They are recorded in slices off the host's path. A refusal ends the attempt; the next one follows
 * after an append of new events succeeded, so that a full spool is not beaten upon. While a backlog
 * is left the session's mark does not move: what this process does not get to, the next resume or
 * an import does.
 */
import type { EventDraft } from '../record/draft.ts';
import { draftsOf } from './hook-call.ts';
import type { PathEntry, SessionState } from './session-state.ts';

/** 200 entries take a few ms. */
export const sliceEntriesMax = 200;
const backlogEntriesMax = 100_000;

export function putBack(state: SessionState, entries: readonly PathEntry[]): void {
  const room = Math.max(0, backlogEntriesMax - state.backlog.length);
  state.backlog = state.backlog.concat(entries.slice(0, room));
  if (entries.length > room) state.hasGap = true;
}

/**
 * Appends one slice. Answers what was appended; null when the spool refused, or nothing is left.
 */
export function appendSlice(
  state: SessionState,
  append: (drafts: readonly EventDraft[]) => boolean,
  onFailure: () => void,
): readonly EventDraft[] | null {
  const slice = state.backlog.slice(0, sliceEntriesMax);
  if (slice.length === 0) return null;
  const drafts = slice.flatMap(({ entry, above }) => draftsOf(state, entry, above, onFailure));
  state.wasRefused = drafts.length > 0 && !append(drafts);
  if (state.wasRefused) return null;
  state.backlog = state.backlog.slice(slice.length);
  return drafts;
}
