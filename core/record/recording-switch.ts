import type { EventDraft } from './draft.ts';
import type { Entry } from './entry.ts';
import { entryDraft, type RecordedSession } from './entry-draft.ts';
import { readMark } from './privacy.ts';

/** Returns null for an entry that is no mark of ours. */
export function recordSwitch(
  session: RecordedSession,
  entry: Entry,
): EventDraft<'pi.recording.switched.v1'> | null {
  const mark = readMark(entry);
  return mark === null
    ? null
    : entryDraft('pi.recording.switched.v1', session, entry, { entryId: entry.key, ...mark });
}
