import type { HookCall } from './hook-call.ts';
import { hooks } from './hooks.ts';
import { keepMarked, passOver } from './pausing.ts';
import { announce } from './privacy.ts';
import { noteTools } from './running-tools.ts';
import { startSession } from './start.ts';
import { type RecorderDeps, walk } from './steps.ts';
import { isStart, type Trigger } from './triggers.ts';

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
    if (!isStart(trigger)) noteTools(trigger, call, event, deps.clock.monotonicMs());
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
  } else if (isStart(trigger)) startSession(call, deps);
  else hooks[trigger](call, event, deps);
}
