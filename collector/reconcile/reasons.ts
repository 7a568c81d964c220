/**
 * The closed set of reasons why session files, log and views may differ. Pure.
 *
 * An explained difference follows from the rules of accounting: the totals are right although
 * naively adding up the files gives something else. A fault is a difference that no rule explains:
 * something is missing, duplicated or changed.
 */

export interface Reason {
  readonly explained: boolean;
  /** The reason in words for people, with what to do about a fault. */
  readonly sentence: string;
}

export const reasons = {
  copied: explained(
    'Copied entries (fork, clone, branch, second path) count in the session that made them.',
  ),
  owner_assumed: explained(
    'The original file of copied entries is gone: they count under an ancestor that a copy names.',
  ),
  live_only_session: explained(
    'Recorded live, without a session file here: it was never saved, or ran on another machine.',
  ),
  file_gone: explained('Imported earlier; the session file is no longer here.'),
  subagent_claim: explained(
    "A tool result claims spend that its subagent's records do not cover: that part counts once.",
  ),
  unreadable_line: explained(
    'A line is unreadable, but no spend is lost: it is unfinished, a header, or was recorded live.',
  ),
  ignored_project: explained(
    'The configuration ignores its project: it is in the log but in no view.',
  ),
  sealed: explained(
    'Part of deleted history: in the totals, but no longer comparable record by record.',
  ),
  private: explained(
    'Made while recording was paused (/ledger pause): in no total, as the user wished.',
  ),
  private_parent_gone: explained(
    'A subagent of a paused session whose file is gone: the import that had read it left it out.',
  ),
  withdrawn: explained(
    'Taken back by an administrator (`pi-ledger withdraw`): in the log, and in no total.',
  ),
  other_agent: explained(
    'Answers of Claude Code or Codex, whose session omp continued: spent there, in no total.',
  ),
  unknown_place: explained(
    'Usage in a place that has none: nobody knows what it means, so it does not count.',
  ),
  session_not_saved: explained(
    "Answers in a host's event stream, of a session without a file that was not recorded live: " +
      'they count as not reported.',
  ),
  package_requests: explained(
    "Answered requests to a model's host that no entry explains, as seen live: " +
      'packages send them. They count, and their cost is unknown.',
  ),
  lower_bound: explained(
    'An extension says what its last answer spent: that counts, and there may have been more.',
  ),
  summary_cost_unknown: explained(
    'Summarised by an extension; its cost is not known: it counts as not reported.',
  ),
  file_changing: explained(
    'The session file changed during the comparison: run it again when the session is idle.',
  ),

  line_left_out: fault(
    'A line that may hold spend is unreadable (damage, no time, too long) and in no total. ' +
      'Repair the line or remove it from the file.',
  ),
  file_left_out: fault(
    'A file or directory that may hold spend is unreadable and in no total. ' +
      'Make it readable or move it away.',
  ),
  format_unknown: fault(
    'The file has a format that is newer than this version of pi-ledger: update pi-ledger.',
  ),
  ahead_of_clock: fault(
    'The record is more than 24 hours ahead of the clock and counts when that time comes. ' +
      'If the clock of its host was wrong, correct the time in the file ' +
      'and run `pi-ledger import`.',
  ),
  older_than_seal: fault(
    'Older than the seal and in no total: it came after its days were deleted. ' +
      'Restore the backup from before `pi-ledger seal`, import and seal again, ' +
      'or import its file into a ledger of its own (another PI_LEDGER_HOME).',
  ),
  sealed_differs: fault(
    'The totals of deleted history differ from the session file: run `pi-ledger rebuild ' +
      'sessions`; if they still do, compare with the backup from before `pi-ledger seal`.',
  ),
  not_imported: fault('The session is in the files but not in the log: run `pi-ledger import`.'),
  owner_unknown: fault(
    'A copy lost its price, and no file names its owner: ' +
      'its cost is in no total, so that it cannot count twice.',
  ),
  missing_in_log: fault(
    'A record in the file is not in the log: run `pi-ledger import`; ' +
      'if that refuses it, `pi-ledger rejected list` says why.',
  ),
  extra_in_log: fault(
    "A record in the log is not in the session's file. " +
      'If nobody spent that, take it back: `pi-ledger withdraw event ID`.',
  ),
  private_in_log: fault(
    'Made while recording was paused, but in the log: it was imported before the file of the ' +
      'paused session was known, or another program recorded it. `pi-ledger import` takes the ' +
      'first back; what is left then, take back yourself: `pi-ledger withdraw event ID`.',
  ),
  may_be_private: fault(
    'A tool result of a paused session names this session, whose file is gone; or it says what ' +
      'this session spent, to the token, and names a file that is not there: it may be private, ' +
      'but it counts. If it is, take it back: `pi-ledger withdraw session ID`.',
  ),
  twice_in_log: fault('The log has a record more than once.'),
  session_differs: fault('The log counts the record under a session that did not make it.'),
  id_shared: fault(
    'Sessions of several directories have this id, and count as one: the total is right, but ' +
      'not what each project or person spent. Give each an id of its own (`--session-id`).',
  ),
  kind_differs: fault('File and log disagree on the kind of spend.'),
  model_differs: fault('File and log disagree on the model or the provider.'),
  time_differs: fault('File and log disagree on the time.'),
  tokens_differ: fault('File and log disagree on the token counts.'),
  reported_differs: fault('File and log disagree on whether the host reported the spend.'),
  price_source_differs: fault(
    'File and log disagree on the source of the price (provider, catalog, unpriced).',
  ),
  cost_differs: fault('File and log disagree on the cost.'),
  claim_differs: fault(
    "What counts of a subagent's claim does not match the claims and the subagent's own records.",
  ),
  counted_twice: fault(
    'A tool result counts beside sessions that it is the sum of, or beside another result that ' +
      'says the same, to the token: it seems to say again what is in the totals already. Report ' +
      'the package that wrote it.',
  ),
  same_answers: fault(
    'Two sessions count the same answers under different entry ids: ' +
      'move the file of the copy away and start the ledger over.',
  ),
  exceeds_file: fault('The session counts more than all usage in its file.'),
  view_differs: fault('The views do not match the log: run `pi-ledger rebuild sessions`.'),
  moves_unpaired: fault(
    'The moves of a record between sessions make it count more or less than once: ' +
      'what takes it out of one must put it into another, once.',
  ),
  events_lost: fault(
    'Events were deleted from the log, and no other difference says which: ' +
      'copy the ledger from a backup, or move it away and run `pi-ledger import`.',
  ),
  too_many_differences: fault(
    'Too many records differ to compare them one by one: fix the first ones and run it again.',
  ),
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof reasons;

function explained(sentence: string): Reason {
  return { explained: true, sentence };
}

function fault(sentence: string): Reason {
  return { explained: false, sentence };
}
