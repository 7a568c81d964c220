/**
 * Whether the recording of a session is paused, which entries of ours in its file say
 * (record/privacy.ts); pausing.ts pauses and resumes it.
 */
import { type Privacy, privacyAt, readMark } from '../../core/record/privacy.ts';
import type { EntryList } from '../host/session.ts';
import type { HookCall } from './hook-call.ts';
import type { SessionState } from './session-state.ts';
import type { RecorderDeps } from './steps.ts';

/** What holds before the entry at this index, in file order. */
export function privacyBefore(entries: EntryList, index: number): Privacy {
  const from = lastMarkBefore(entries, index);
  let privacy: Privacy = 'none';
  for (let at = Math.max(from, 0); from >= 0 && at < index; at += 1) {
    const entry = entries.at(at);
    if (entry !== undefined) privacy = privacyAt(privacy, entry);
    if (privacy !== 'ending') break;
  }
  return privacy;
}

/** What this process takes as given: the entries before this index. */
export function passedBefore(state: SessionState, entries: EntryList, index: number): void {
  state.privacy = privacyBefore(entries, index);
  state.hasMarks = lastMarkBefore(entries, index) >= 0;
}

/** Its index; -1 without one. */
function lastMarkBefore(entries: EntryList, index: number): number {
  let from = index - 1;
  while (from >= 0 && !isMarkAt(entries, from)) from -= 1;
  return from;
}

function isMarkAt(entries: EntryList, index: number): boolean {
  if (entries.typeAt(index) !== 'custom') return false;
  const entry = entries.at(index);
  return entry !== undefined && readMark(entry) !== null;
}

/** Child processes learn by their environment whether the session that is at work is private. */
export function announce({ state }: HookCall, deps: RecorderDeps): void {
  const isPaused = state.privacy === 'paused';
  if (!isPaused && !deps.reported.isPrivate) return;
  deps.reported.isPrivate = isPaused;
  deps.announceParent(state.id, null, isPaused);
}
