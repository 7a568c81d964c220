/**
 * Totals of a session's entries, whoever recorded them: for `/ledger`, beside the host's own
 * figure. A resumed session has entries that another process recorded, or that predate the
 * extension.
 *
 * Reads all entries, which takes milliseconds in a long session: for commands only, never for a
 * hook.
 */
import { copiedCount } from '../../core/record/copied.ts';
import { type Entry, entryMessage, entryRole } from '../../core/record/entry.ts';
import { rootState } from '../../core/record/path-state.ts';
import { isPrivate, type Privacy, privacyAt } from '../../core/record/privacy.ts';
import { recordEntry } from '../../core/record/record-entry.ts';
import type { EntryList } from '../host/session.ts';
import { addDraft } from './add-spend.ts';
import type { SessionState } from './session-state.ts';
import { noTotals, type SessionTotals } from './totals.ts';

export interface EntryTotals {
  readonly own: SessionTotals;
  /** Entries copied by a fork; they count in the session they come from. */
  readonly copied: SessionTotals;
  /** Entries of the session's own that are private, in neither. */
  readonly hidden: number;
}

/** Contract: never throws; an unreadable entry counts nothing. */
export function entryTotals(state: SessionState, entries: EntryList): EntryTotals {
  const sums = { own: noTotals(), copied: noTotals(), hidden: 0 };
  let privacy: Privacy = 'none';
  const copied = copiedCount(state.header, entries);
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries.at(index);
    if (entry === undefined) continue;
    privacy = privacyAt(privacy, entry);
    if (isPrivate(privacy, entry)) sums.hidden += index < copied ? 0 : 1;
    else if (maySpend(entry)) addEntry(index < copied ? sums.copied : sums.own, state, entry);
  }
  return sums;
}

/** An answer, a summary, or anything that may have usage in a place of its own. */
function maySpend(entry: Entry): boolean {
  const kind = entryRole(entry) ?? entry.type;
  return mayTell.has(kind) || 'usage' in entry.body || 'usage' in entryMessage(entry);
}

const mayTell: ReadonlySet<string> = new Set([
  'assistant',
  'toolResult',
  'custom',
  'compaction',
  'branch_summary',
]);

function addEntry(totals: SessionTotals, state: SessionState, entry: Entry): void {
  try {
    for (const draft of recordEntry({ ...state.session, contentOf: null }, entry, rootState))
      addDraft(totals, draft, state.billing);
  } catch {
    // the recorder counts it among its failures
  }
}
