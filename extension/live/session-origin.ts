/**
 * Which entries of a session are new to the ledger when this process first sees it.
 *
 * - A session with a mark was recorded up to the marked entry. Entries after it, in file order, are
 *   new (written by a host that was killed before the extension saw them, or that ran without it).
 *   If the mark names no entry, or a missing one, all of the session's own entries are new.
 * - A session that this process began is entirely new.
 * - Any other session existed before the extension was installed: none of it is new, and the
 *   importer records it.
 *
 * Entries copied by a fork belong to the original session and are never new here. Anything recorded
 * twice has the same id both times.
 */
import { copiedCount } from '../../core/record/copied.ts';
import type { Header } from '../../core/record/entry.ts';
import type { SpoolMark } from '../../core/spool/marks.ts';
import type { EntryList } from '../host/session.ts';

export interface SessionOrigin {
  readonly kind: 'begun' | 'resumed' | 'found';
  /** Index, in file order, of the first entry that is new. */
  readonly newFrom: number;
}

/**
 * Tolerates a clock that was set back slightly between the start of the process and that of the
 * session.
 */
const clockSlackMs = 1_000;

export function findSessionOrigin(options: {
  header: Header | null;
  entries: EntryList;
  mark: SpoolMark | null;
  /** The host says that it just created the session. */
  isNew: boolean;
  processStartMs: number;
}): SessionOrigin {
  const { header, entries, mark } = options;
  const ownFrom = copiedCount(header, entries);
  if (mark?.entryId != null)
    return { kind: 'resumed', newFrom: Math.max(ownFrom, indexAfter(entries, mark.entryId)) };
  if (mark !== null || options.isNew || isBegunHere(header, options.processStartMs))
    return { kind: 'begun', newFrom: ownFrom };
  return { kind: 'found', newFrom: entries.length };
}

function isBegunHere(header: Header | null, processStartMs: number): boolean {
  return header !== null && header.timeMs >= processStartMs - clockSlackMs;
}

/** 0 if there is no such entry. Searched from the end, where marks are. */
function indexAfter(entries: EntryList, entryId: string): number {
  let index = entries.length;
  while (index > 0 && entries.idAt(index - 1) !== entryId) index -= 1;
  return index;
}

/** Whether entries of its own were there before this process saw it. */
export function hasEarlier(header: Header | null, entries: EntryList, newFrom: number): boolean {
  return newFrom > copiedCount(header, entries);
}
