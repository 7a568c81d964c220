import type { EventDraft } from '../../core/record/draft.ts';
import { fileRef, linkChild } from '../../core/record/link.ts';
import { recordSessionStarted } from '../../core/record/session.ts';
import { readModel } from '../host/host.ts';
import { currentLimits } from './current-limits.ts';
import { type HookCall, recordHeld } from './hook-call.ts';
import type { SessionState } from './session-state.ts';
import { attribute, type RecorderDeps, scan } from './steps.ts';

/** What must precede a session's first usage. Repeated until the spool accepts it. */
export function emitStart(call: HookCall, deps: RecorderDeps): void {
  const { header, owesStart } = call.state;
  deps.requests.begin();
  if (owesStart && header !== null) call.drafts.push(recordSessionStarted(header));
  attribute(call, deps);
  call.drafts.push(...linksToParent(call.state));
  recordHeld(call, deps.spool.countRecordFailure);
}

/**
 * By which names, besides its id, a result of the parent's tools may mean this subagent. omp's are
 * meant by their agent's name alone.
 */
function linksToParent({ header, file, parentage }: SessionState): readonly EventDraft[] {
  const { parent } = parentage;
  if (header === null || parent === null || parent.key.startsWith('agent:')) return [];
  const refs = [parent.key, file === null ? null : fileRef(file)];
  return refs.flatMap((ref) =>
    ref === null || ref.startsWith('session:') ? [] : [linkChild(header, parent.sessionId, ref)],
  );
}

/** At the beginning of a session here, and when the user goes on with another one. */
export function startSession(call: HookCall, deps: RecorderDeps): void {
  const { state } = call;
  if (state.isOver) state.openedMonotonicMs = deps.clock.monotonicMs();
  state.isOver = false;
  deps.requests.begin();
  state.automatic = null;
  state.settings = null;
  const model = readModel(call.ctx);
  currentLimits(call, deps, model, model?.windowTokens ?? null);
  scan(call, deps);
  attribute(call, deps);
  deps.heads.soon(state, 'beforeRun');
}
