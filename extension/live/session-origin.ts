/**
 * What of a session is new to the ledger when this process first sees it.
 *
 * - A session with a mark was recorded up to the marked entry: what lies behind it, in file order,
 *   is new (written by a host that was killed before the extension saw it, or that ran without the
 *   extension). A mark that names no entry, or one that is gone, makes all its own entries new.
 * - A session that this process began is new as a whole.
 * - Any other was there before the extension was installed: nothing of it is new, and the importer
 *   brings it in.
 *
 * Entries copied by a fork belong to the session they were copied from and are new in none of these
 * cases. Whatever is recorded twice has the same id both times.
 */
import type { EntryList } from '../host/host.ts';
import { copiedCount } from '../record/copied.ts';
import type { Header } from '../record/entry.ts';
import type { Mark } from '../spool/marks.ts';

export interface SessionOrigin {
  readonly kind: 'begun' | 'resumed' | 'found';
  /** Index, in file order, of the first entry that is new. */
  readonly newFrom: number;
}

/**
 * A clock that was set back a little between the start of the process and that of the session must
 * not make it a found one.
 */
const clockSlackMs = 1_000;

export function sessionOriginOf(options: {
  header: Header | null;
  entries: EntryList;
  mark: Mark | null;
  /** The host says that it made the session just now. */
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

/** 0 when there is no such entry. Searched from the end, where marks are. */
function indexAfter(entries: EntryList, entryId: string): number {
  let index = entries.length;
  while (index > 0 && entries.idAt(index - 1) !== entryId) index -= 1;
  return index;
}
