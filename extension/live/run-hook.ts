import type { HookCall } from './hook-call.ts';
import { announce, keepMarked, passOver } from './privacy.ts';
import { noteTools } from './running-tools.ts';
import { type RecorderDeps, walk } from './steps.ts';
import { hooks, type Trigger } from './triggers.ts';

/** Runs a hook, or passes over what it would have found in a paused session. */
export function runHook(
  trigger: Trigger,
  call: HookCall,
  event: unknown,
  deps: RecorderDeps,
): void {
  try {
    runOrPass(trigger, call, event, deps);
  } finally {
    noteTools(trigger, call, event, deps.clock.monotonicMs());
  }
  if (trigger === 'session_tree') keepMarked(call, deps);
}

function runOrPass(trigger: Trigger, call: HookCall, event: unknown, deps: RecorderDeps): void {
  const { state } = call;
  if (state.isMarkDue) walk(call, deps);
  state.isMarkDue = false;
  if (trigger === 'session_start') announce(call, deps);
  if (state.privacy === 'paused') {
    passOver(call, deps, trigger.startsWith('session_'));
    if (trigger === 'session_start') state.isOver = false;
    if (trigger === 'session_shutdown') state.isOver = true;
  } else hooks[trigger](call, event, deps);
}
