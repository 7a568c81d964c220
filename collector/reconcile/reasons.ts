/**
 * The closed set of reasons why session files, log and views may say different things. Pure.
 *
 * An explained difference is what the rules of accounting expect: the totals are right although the
 * files, added up naively, say something else. A fault is a difference that no rule expects:
 * something is missing, doubled or changed.
 */

export interface Reason {
  readonly explained: boolean;
  /** One sentence for people. */
  readonly sentence: string;
}

export const reasons = {
  copied: explained(
    'Entries stand in this file as copies (a fork, a clone, a branch, a second path); the session that made them counts them.',
  ),
  owner_assumed: explained(
    'Copied entries whose first file is gone count under the ancestor that the header names, or that of another copy.',
  ),
  live_only_session: explained(
    'Recorded live and without a session file here: a session that keeps none, was killed before its first save, or ran elsewhere.',
  ),
  file_gone: explained('Imported once; its session file is not here any more.'),
  subagent_claim: explained(
    "What a tool result says that a subagent spent, and what the subagent's own records say of it, differ: the rest counts once.",
  ),
  unreadable_line: explained(
    'A line cannot be read, and no spend is lost by it: the last one without its end, a header, or one whose record the live extension has told.',
  ),
  ignored_project: explained(
    'The configuration ignores its project: it is in the log and in no view.',
  ),
  sealed: explained(
    'Records from before the day up to which history was deleted: they are in the totals, and one by one nobody can compare them any more.',
  ),
  file_changing: explained(
    'The session file was written while it was compared: run it again when the session rests.',
  ),

  line_left_out: fault(
    'A line that may hold spend cannot be read (damage, no time, too long): it is in no total. Repair the line, or take it out of the file.',
  ),
  file_left_out: fault(
    'A file or directory that may hold spend cannot be read: it is in no total. Make it readable, or move it away.',
  ),
  format_unknown: fault(
    'The file is of a format that is newer than this version of pi-ledger: update it.',
  ),
  ahead_of_clock: fault(
    'The record is more than 24 hours ahead of the clock: it counts when that time comes. If the clock of its host was wrong, put its time in the file right and run `pi-ledger import`.',
  ),
  not_imported: fault('The session is in the files and not in the log: run `pi-ledger import`.'),
  owner_unknown: fault(
    'A copy that lost its price, and no file says any more whose it is: what it may have cost is in no total, so that it cannot count twice.',
  ),
  missing_in_log: fault(
    'The file has a record that the log does not have: run `pi-ledger import`; if that refuses it, `pi-ledger rejected list` says why.',
  ),
  extra_in_log: fault("The log has a record that the session's file does not have."),
  twice_in_log: fault('The log has one record more than once.'),
  session_differs: fault(
    'The log counts the record under another session than the one that made it.',
  ),
  kind_differs: fault('File and log call the record a different kind of spend.'),
  model_differs: fault('File and log name different models or providers.'),
  time_differs: fault('File and log place the record at different times.'),
  tokens_differ: fault('File and log have different token counts.'),
  reported_differs: fault('File and log disagree on whether the host reported what was spent.'),
  price_source_differs: fault(
    'File and log disagree on where the price is from (provider, catalog, unpriced).',
  ),
  cost_differs: fault('File and log have different amounts of money.'),
  claim_differs: fault(
    'What counts of a claim of a subagent is not what claims and own records leave.',
  ),
  view_differs: fault('The views do not say what the log says: run `pi-ledger rebuild sessions`.'),
  too_many_differences: fault(
    'More records differ than are looked at one by one: put the first ones right and run it again.',
  ),
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof reasons;

function explained(sentence: string): Reason {
  return { explained: true, sentence };
}

function fault(sentence: string): Reason {
  return { explained: false, sentence };
}
