/**
 * What the recorder does at each hook, but for those with which a session begins (start.ts). They
 * are loaded with the first of them: many sessions wait long for their first prompt.
 */
import { readShutdownReason } from '../host/events.ts';
import { readAborted, readToolExecution, readWillContinue } from '../host/run-events.ts';
import {
  abandonCompaction,
  endAutoCompaction,
  endCompaction,
  failCompaction,
  startAutoCompaction,
  startCompaction,
  startSummary,
} from './compactions.ts';
import { measurePrefix } from './context-changes.ts';
import type { HookCall } from './hook-call.ts';
import {
  abandonWaits,
  closeDialog,
  openApproval,
  openDialog,
  recordInput,
  resolveApproval,
} from './human.ts';
import {
  beginAnswer,
  endRetry,
  recordResponse,
  scheduleRetry,
  startRequest,
  timeTurn,
} from './requests.ts';
import { startRun } from './run.ts';
import { attribute, emit, type RecorderDeps, scan, walk } from './steps.ts';
import type { LaterTrigger } from './triggers.ts';
import { closeRun, now, reportDrops, sampleTurn, stateAtLeaf } from './turn-steps.ts';

type Hook = (call: HookCall, event: unknown, deps: RecorderDeps) => void;

/** An unknown session is opened before its first hook: see recorder.ts. */
export const hooks = {
  session_tree: endTree,
  session_before_tree: startTree,
  session_before_switch: (call, _event, deps) => scan(call, deps),
  session_before_fork: (call, _event, deps) => scan(call, deps),
  session_before_branch: (call, _event, deps) => scan(call, deps),
  session_shutdown: endSession,
  before_agent_start: beginPrompt,
  agent_start: startAgent,
  agent_end: endAgent,
  agent_settled: (call, event, deps) => settle(call, deps, readAborted(event)),
  turn_start: startRequest,
  after_provider_response: recordResponse,
  message_start: beginAnswer,
  turn_end: endTurn,
  model_select: selectModel,
  tool_execution_start: startTool,
  tool_execution_end: endTool,
  tool_result: (call, _event, deps) => walk(call, deps),
  auto_compaction_start: (...seen) => startAutoCompaction(...seen),
  session_before_compact: (...seen) => startCompaction(...seen),
  'session.compacting': (...seen) => startSummary(...seen),
  session_compact: (...seen) => endCompaction(...seen),
  session_compact_failed: (...seen) => failCompaction(...seen),
  auto_compaction_end: (...seen) => endAutoCompaction(...seen),
  auto_retry_start: scheduleRetry,
  auto_retry_end: endRetry,
  input: recordInput,
  ui_prompt_start: openDialog,
  ui_prompt_end: closeDialog,
  tool_approval_requested: openApproval,
  tool_approval_resolved: resolveApproval,
} satisfies Record<LaterTrigger, Hook>;

function startTree(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  scan(call, deps);
  deps.requests.startSummary(call.state);
}

function endTree(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  scan(call, deps);
  deps.requests.abandonSummary(call);
}

function endSession(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const { state } = call;
  scan(call, deps);
  if (state.compaction !== null) abandonCompaction(call, deps);
  abandonWaits(call, deps);
  deps.requests.abandonSummary(call);
  closeRun(call, deps, state.run?.stopped ?? now(deps), false);
  deps.requests.say(call);
  reportDrops(call, deps);
  deps.heads.observe(call);
  if (state.isOver) return;
  state.isOver = true;
  const durationMs = Math.max(0, deps.clock.monotonicMs() - state.openedMonotonicMs);
  emit(call, deps, 'pi.session.ended.v1', { reason: readShutdownReason(event), durationMs });
}

/** A new prompt ends a run whose end the host did not report. */
function beginPrompt(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  // The host does not report failures; a compaction before a prompt is over by now.
  if (deps.runEnd === 'unreported' && call.state.compaction !== null) abandonCompaction(call, deps);
  const stopped = call.state.run?.stopped;
  if (stopped != null) closeRun(call, deps, stopped, false);
}

/** Once per attempt: a retry belongs to the current run. */
function startAgent(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  const { state } = call;
  walk(call, deps);
  deps.requests.abandonSummary(call);
  attribute(call, deps);
  measurePrefix(call, deps);
  deps.heads.soon(state, 'beforeRun');
  state.run ??= startRun(deps.clock.monotonicMs());
  state.run.attempts += 1;
  state.run.stopped = null;
}

function endAgent(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const { state } = call;
  walk(call, deps);
  timeTurn(call, deps);
  sampleTurn(call, deps); // omp appends a turn's last entry after `turn_end`
  if (state.run !== null) state.run.stopped = now(deps);
  // pi before 0.80.4 never reports the end of a run. It retries only after an error, so anything
  // else ends the run; a failed run ends with the next prompt or the session.
  const isOver =
    deps.runEnd === 'agent_end'
      ? !readWillContinue(event)
      : deps.runEnd === 'unreported' && state.run?.stopReason !== 'error';
  if (isOver) settle(call, deps, false);
}

/** The agent is idle: time to scan all entries. */
function settle(call: HookCall, deps: RecorderDeps, aborted: boolean): void {
  scan(call, deps);
  attribute(call, deps);
  closeRun(call, deps, now(deps), aborted);
  deps.requests.say(call);
  reportDrops(call, deps);
}

function endTurn(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  timeTurn(call, deps);
  sampleTurn(call, deps);
  deps.heads.soon(call.state, 'afterTurn');
}

function selectModel(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  attribute(call, deps);
}

/** Calls that never end (the host was killed) must not accumulate. */
const toolStartsMax = 512;

/**
 * The answer that made the call is recorded before the tool runs, however long it takes; agents
 * started by the tool are told of it.
 */
function startTool(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  timeTurn(call, deps);
  const { id, toolStarts } = call.state;
  deps.announceParent(id, stateAtLeaf(call)?.turnEntryId ?? null);
  const tool = readToolExecution(event);
  if (tool === null) return;
  const [oldest] = toolStarts.keys();
  if (toolStarts.size >= toolStartsMax && oldest !== undefined) toolStarts.delete(oldest);
  toolStarts.set(tool.toolCallId, deps.clock.monotonicMs());
}

function endTool(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  const tool = readToolExecution(event);
  const startedMs = tool === null ? undefined : call.state.toolStarts.get(tool.toolCallId);
  if (tool === null || startedMs === undefined) return;
  call.state.toolStarts.delete(tool.toolCallId);
  emit(call, deps, 'pi.tool.timed.v1', {
    ...tool,
    durationMs: Math.max(0, deps.clock.monotonicMs() - startedMs),
  });
}
