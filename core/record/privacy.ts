/**
 * Which entries of a session are private: those after an entry of ours that says `paused`, in file
 * order, until one that says `resumed` and the results of tools that still ran then. A fork copies
 * these entries with the others, so every file tells it by itself. Pure.
 *
 * `collector/reconcile/files/private-lines.ts` reads the same with code of its own.
 */
import { type Entry, entryRole } from './entry.ts';
import { asCount, asObject } from './fields.ts';

export const markType = 'pi-ledger.recording';

/** What an entry of ours says. */
export interface PrivacyMark {
  readonly state: 'paused' | 'resumed';
  /** With `resumed`: how many of the session's own entries were private. */
  readonly entries: number | null;
}

/** Between two entries; `ending`: resumed, but results of tools may still follow. */
export type Privacy = 'none' | 'paused' | 'ending';

/** Returns null for any other entry. */
export function readMark({ type, body }: Entry): PrivacyMark | null {
  if (type !== 'custom' || body.customType !== markType) return null;
  const data = asObject(body.data);
  if (data?.state === 'paused') return { state: 'paused', entries: null };
  return data?.state === 'resumed' ? { state: 'resumed', entries: asCount(data.entries) } : null;
}

/** What holds from this entry on. Call in file order. */
export function privacyAt(before: Privacy, entry: Entry): Privacy {
  const mark = readMark(entry);
  if (mark !== null) return mark.state === 'paused' ? 'paused' : 'ending';
  return before === 'ending' && entryRole(entry) !== 'toolResult' ? 'none' : before;
}

/** `privacy`: at this entry. */
export function isPrivate(privacy: Privacy, entry: Entry): boolean {
  return privacy !== 'none' && readMark(entry) === null;
}

/**
 * Whether a session is worth knowing of for this entry. Hosts write settings before an extension
 * can pause; a session with nothing else but what is private stays unknown.
 */
export function makesKnown(entry: Entry): boolean {
  return readMark(entry) === null && !settings.has(entry.type);
}

const settings: ReadonlySet<unknown> = new Set(['model_change', 'thinking_level_change']);
