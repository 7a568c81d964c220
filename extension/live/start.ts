import { recordSessionStarted } from '../record/session.ts';
import { type HookCall, recordHeld } from './hook-call.ts';
import { attribute, type RecorderDeps } from './steps.ts';

/** What must precede a session's first usage. Repeated until the spool accepts it. */
export function emitStart(call: HookCall, deps: RecorderDeps): void {
  const { header, owesStart } = call.state;
  deps.requests.begin();
  if (owesStart && header !== null) call.drafts.push(recordSessionStarted(header));
  attribute(call, deps);
  recordHeld(call, deps.spool.countRecordFailure);
}
