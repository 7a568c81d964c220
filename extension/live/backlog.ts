/**
 * Entries that were seen but are not in the spool: those after the mark of a resumed session, or
 * refused by a full or unwritable spool.
 *
 * They are recorded in slices, off the host's path. A refusal ends the attempt; the next one
 * follows once an append of new events has succeeded, so that a full spool is not hammered. While a
 * backlog remains, the session's mark does not move: what this process does not record, the next
 * resume or an import does.
 */
import type { EventDraft } from '../../core/record/draft.ts';
import { draftEntry } from './hook-call.ts';
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
 * Appends one slice and returns what was appended; null if the spool refused it, or nothing is
 * left.
 */
export function appendSlice(
  state: SessionState,
  append: (drafts: readonly EventDraft[]) => boolean,
  onFailure: () => void,
): readonly EventDraft[] | null {
  const slice = state.backlog.slice(0, sliceEntriesMax);
  if (slice.length === 0) return null;
  const drafts = slice.flatMap(({ entry, above }) => draftEntry(state, entry, above, onFailure));
  state.wasRefused = drafts.length > 0 && !append(drafts);
  if (state.wasRefused) return null;
  state.backlog = state.backlog.slice(slice.length);
  return drafts;
}
