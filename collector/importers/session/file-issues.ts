/** Issues of a session file, except those of single lines (line-content.ts). Pure. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Issue } from '../issues.ts';
import type { StreamedAnswers } from '../proofs.ts';
import { mayCount } from './doubts.ts';
import { found, foundInText } from './found.ts';

export type LineProblem = Pick<Issue, 'code' | 'message' | 'mayHoldSpend' | 'streamed'>;

/** The newest format version that is known. */
export const formatVersionMax = 3;

/** `held`: events too far in the future, in order; null without any. */
export function futureTime(held: readonly EventDraft[]): LineProblem | null {
  const [first] = held;
  if (first === undefined) return null;
  const message = `${first.time} is more than a day ahead; it will be read again at that time`;
  return { code: 'time_in_future', message, mayHoldSpend: held.some(mayCount) };
}

export function damaged(text: string, isHeader: boolean): LineProblem {
  const message = `expected one JSON object, found ${foundInText(text)}`;
  return { code: 'not_json', message, mayHoldSpend: !isHeader };
}

export function notAnEntry(value: unknown, holdsUsage: boolean): LineProblem {
  const message = `expected an object with "type", "id" and "timestamp", found ${found(value)}`;
  return { code: 'not_an_entry', message, mayHoldSpend: holdsUsage };
}

/** Why the entry recorder gave no drafts, when that loses something. */
export const notRecorded = {
  'nested too deep': {
    code: 'nested_too_deep',
    message: 'the entry is nested too deep: not counted',
    mayHoldSpend: true,
  },
  'left out': {
    code: 'owner_unknown',
    message: 'a copy without its price, and no file says whose it is: not counted',
    mayHoldSpend: true,
  },
} as const satisfies Record<string, LineProblem>;

export const claimLeftOut: LineProblem = {
  code: 'claim_left_out',
  message: 'too many answers of subagents: the session of this one is not searched',
  mayHoldSpend: true,
};

export function textLeftOut(reason: string): LineProblem {
  const message = `the text of a summary is left out: ${reason}`;
  return { code: 'text_left_out', message, mayHoldSpend: false };
}

export function unknownVersion(version: number): LineProblem {
  const message = `format version ${version}, expected at most ${formatVersionMax}: read anyway`;
  return { code: 'version_unknown', message, mayHoldSpend: true };
}

/** `isNamed`: the file's name says what the header would. */
export function noHeader(isNamed: boolean): LineProblem {
  const instead = isNamed ? 'the file name gives session and time' : 'the file is left out';
  const header = '{"type":"session","id":...,"timestamp":...}';
  return {
    code: 'no_header',
    message: `expected ${header} before the first entry: ${instead}`,
    mayHoldSpend: !isNamed,
  };
}

export function foreignFile(holdsUsage: boolean): LineProblem {
  const message = 'the first lines hold no session header and no entry: the file is left out';
  return { code: 'no_header', message, mayHoldSpend: holdsUsage };
}

/** The session may have been recorded live: only the log can tell. */
export function sessionNotSaved(streamed: StreamedAnswers): LineProblem {
  const { sessionId, answers } = streamed;
  const its = answers === 1 ? 'its answer counts' : `its ${answers} answers count`;
  const message =
    `the event stream of session ${sessionId}, which has no file here: unless it was recorded ` +
    `live, ${its} as not reported`;
  return { code: 'session_not_saved', message, mayHoldSpend: false, streamed };
}
