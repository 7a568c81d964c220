/**
 * Which tools of a session run now, while it is paused too: a session that begins meanwhile in the
 * same process is a subagent of it (starter.ts). In memory only.
 */
import { readToolExecution } from '../host/run-events.ts';
import type { HookCall } from './hook-call.ts';
import type { Trigger } from './triggers.ts';
import { stateAtLeaf } from './turn-steps.ts';

/** Calls that never end must not accumulate. */
const runningMax = 512;

/** Call after the hook, which may have found the turn. */
export function noteTools(trigger: Trigger, call: HookCall, event: unknown, nowMs: number): void {
  const { runningTools } = call.state;
  if (isOver.has(trigger)) runningTools.clear();
  if (trigger !== 'tool_execution_start' && trigger !== 'tool_execution_end') return;
  const tool = readToolExecution(event);
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
