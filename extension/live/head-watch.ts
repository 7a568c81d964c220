/**
 * Follows the branch and the commit that a session works on, off the host's path: a turn may have
 * made a commit or changed the branch. A branch that changed attributes the session anew.
 */
import type { CheckedOut } from '../../core/project/project.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import type { Spool } from '../../core/spool/spool.ts';
import type { Attribution } from '../attribution/attribution.ts';
import type { RecorderClock } from './clock.ts';
import { liveDraft } from './draft.ts';
import type { HookCall } from './hook-call.ts';
import type { SessionState } from './session-state.ts';

/** What was changed was changed before this run began, or during the turn that has ended. */
type When = 'beforeRun' | 'afterTurn';

export interface HeadWatch {
  /** Looks soon, once for several calls. Contract: never throws. */
  soon(state: SessionState, when: When): void;
  /** Looks at once, a few small reads, and adds to the call's append: the process may end. */
  observe(call: HookCall): void;
}

export interface HeadWatchOptions {
  headOf(attribution: Attribution): CheckedOut | null;
  readonly append: Spool['append'];
  readonly clock: RecorderClock;
  onAppended(state: SessionState, drafts: readonly EventDraft[]): void;
  onFailure(): void;
}

export function createHeadWatch(options: HeadWatchOptions): HeadWatch {
  const { headOf, append, clock, onAppended, onFailure } = options;
  const waiting = new Set<SessionState>();

  function changeOf(state: SessionState, before: Attribution | null, when: When): Change | null {
    const seen = before === null ? null : headOf(before);
    return before === null || seen === null
      ? null
      : changeTo(state, before, seen, when, clock.nowMs());
  }

  function look(state: SessionState, when: When): void {
    waiting.delete(state);
    try {
      if (state.privacy === 'paused') return;
      const change = changeOf(state, state.attribution, when);
      if (change === null || !append(change.drafts)) return;
      state.attribution = change.attribution;
      state.head = change.head;
      onAppended(state, change.drafts);
    } catch {
      onFailure(); // a throw in a timer would end the host
    }
  }

  return {
    soon(state, when) {
      if (waiting.has(state)) return;
      waiting.add(state);
      clock.soon(() => look(state, when));
    },
    observe(call) {
      const { state, attribution } = call;
      const change = changeOf(state, attribution ?? state.attribution, 'afterTurn');
      if (change === null) return;
      call.drafts.push(...change.drafts);
      call.attribution = change.attribution;
      call.head = change.head;
    },
  };
}

interface Change {
  readonly attribution: Attribution;
  /** Tells whether it changed. */
  readonly head: string;
  readonly drafts: readonly EventDraft[];
}

/** Returns null if nothing changed. */
function changeTo(
  state: SessionState,
  before: Attribution,
  { project, commit }: CheckedOut,
  when: When,
  nowMs: number,
): Change | null {
  const attribution = { ...before, project };
  const head = JSON.stringify([project, before.cwd, commit]);
  const drafts: EventDraft[] = [];
  if (JSON.stringify(attribution) !== JSON.stringify(before))
    drafts.push(liveDraft('pi.session.attributed.v1', state.id, nowMs, attribution));
  if (head !== state.head) {
    const { name, remote, branch } = project;
    const { cwd, machine } = before;
    const afterTurn = when === 'afterTurn' && state.head !== null;
    const data = { project: { name, remote, branch }, cwd, machine, commit, afterTurn };
    drafts.push(liveDraft('pi.head.observed.v1', state.id, nowMs, data));
  }
  return drafts.length === 0 ? null : { attribution, head, drafts };
}
