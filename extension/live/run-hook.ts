import { toolExecutionOf } from '../host/run-events.ts';
import type { HookCall } from './hook-call.ts';
import { hooks } from './hooks.ts';
import { keepMarked, passOver } from './pausing.ts';
import { announce } from './privacy.ts';
import { startSession } from './start.ts';
import { type RecorderDeps, walk } from './steps.ts';
import { isStart, type Trigger } from './triggers.ts';
import { stateAtLeaf } from './turn-steps.ts';

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

// Which tools of a session run now, while it is paused too: a session that begins meanwhile in the
// same process is a subagent of it (starter.ts). In memory only.

/** Calls that never end must not accumulate. */
const runningMax = 512;

/** Call after the hook, which may have found the turn. */
function noteTools(trigger: Trigger, call: HookCall, event: unknown, nowMs: number): void {
  const { runningTools } = call.state;
  if (isOver.has(trigger)) runningTools.clear();
  if (trigger !== 'tool_execution_start' && trigger !== 'tool_execution_end') return;
  const tool = toolExecutionOf(event);
  if (tool === null) return;
  if (trigger === 'tool_execution_end') {
    runningTools.delete(tool.toolCallId);
    return;
  }
  const [oldest] = runningTools.keys();
  if (runningTools.size >= runningMax && oldest !== undefined) runningTools.delete(oldest);
  runningTools.set(tool.toolCallId, {
    toolName: tool.toolName,
    turnEntryId: stateAtLeaf(call)?.turnEntryId ?? null,
    startedMs: nowMs,
    isPrivate: call.state.privacy === 'paused',
  });
}

/** No tool runs after these, whether or not the host said that it ended. */
const isOver: ReadonlySet<Trigger> = new Set(['agent_start', 'agent_end', 'session_shutdown']);
