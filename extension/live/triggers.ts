/**
 * Which hook makes the recorder do what. Hooks that a host does not know never fire.
 *
 * Deliberately absent: `tool_call` (a throw there blocks the tool), `context`, `message_update`,
 * `provider_stream_event` (far too many).
 */
import {
  abortedOf,
  modelOf,
  shutdownReasonOf,
  toolExecutionOf,
  willContinueOf,
} from '../host/host.ts';
import {
  endAutoCompaction,
  endCompaction,
  failCompaction,
  giveUpCompaction,
  startAutoCompaction,
  startCompaction,
  startSummary,
} from './compactions.ts';
import { learnLimits, measureFixture } from './context-news.ts';
import type { Handling } from './hook-call.ts';
import {
  askApproval,
  closeDialog,
  giveUpWaits,
  hearApproval,
  hearInput,
  openDialog,
} from './human.ts';
import {
  beginAnswer,
  endRetry,
  hearResponse,
  scheduleRetry,
  startRequest,
  timeTurn,
} from './requests.ts';
import { startRun } from './run.ts';
import {
  attribute,
  closeRun,
  type Means,
  now,
  placeAtLeaf,
  reportDrops,
  sampleTurn,
  say,
  scan,
  walk,
} from './steps.ts';

type Action = (handling: Handling, event: unknown, means: Means) => void;

/** A session that was not known yet is opened before its first action: see recorder.ts. */
export const actions = {
  session_start: startSession,
  session_switch: startSession,
  session_branch: startSession,
  session_tree: (handling, _event, means) => scan(handling, means),
  session_before_switch: (handling, _event, means) => scan(handling, means),
  session_before_fork: (handling, _event, means) => scan(handling, means),
  session_before_branch: (handling, _event, means) => scan(handling, means),
  session_shutdown: endSession,
  before_agent_start: beginPrompt,
  agent_start: startAgent,
  agent_end: endAgent,
  agent_settled: (handling, event, means) => rest(handling, means, abortedOf(event)),
  turn_start: startRequest,
  after_provider_response: hearResponse,
  message_start: beginAnswer,
  turn_end: endTurn,
  model_select: selectModel,
  tool_execution_start: startTool,
  tool_execution_end: endTool,
  tool_result: (handling, _event, means) => walk(handling, means),
  auto_compaction_start: startAutoCompaction,
  session_before_compact: startCompaction,
  'session.compacting': startSummary,
  session_compact: endCompaction,
  session_compact_failed: failCompaction,
  auto_compaction_end: endAutoCompaction,
  auto_retry_start: scheduleRetry,
  auto_retry_end: endRetry,
  input: hearInput,
  ui_prompt_start: openDialog,
  ui_prompt_end: closeDialog,
  tool_approval_requested: askApproval,
  tool_approval_resolved: hearApproval,
} satisfies Record<string, Action>;

export type Trigger = keyof typeof actions;
export const triggers = Object.keys(actions) as Trigger[];

/**
 * What to listen to on a host. omp changes its ways for whoever listens to some: it no longer
 * compacts in the background while the agent works (`session_before_compact`), and no longer reads
 * ahead (`tool_result`, `tool_approval_*`: `readsAhead` says whether it would). pi says more with
 * the first than `session.compacting`, which only omp has. What times an answer stands in omp's
 * entries.
 */
export function triggersOf(hostName: 'pi' | 'omp', readsAhead: boolean): readonly Trigger[] {
  const approvals = ['tool_approval_requested', 'tool_approval_resolved'];
  const onOmp = [
    'session_before_compact',
    'tool_result',
    'turn_start',
    'message_start',
    ...(readsAhead ? approvals : []),
  ];
  const unwanted =
    hostName === 'omp'
      ? onOmp
      : ['session.compacting', 'auto_retry_start', 'auto_retry_end', ...approvals];
  return triggers.filter((trigger) => !unwanted.includes(trigger));
}

function startSession(handling: Handling, _event: unknown, means: Means): void {
  const { state } = handling;
  if (state.isOver) state.openedMonotonicMs = means.clock.monotonicMs();
  state.isOver = false;
  state.automatic = null;
  state.settings = null;
  const model = modelOf(handling.ctx);
  learnLimits(handling, means, model, model?.windowTokens ?? null);
  scan(handling, means);
  attribute(handling, means);
}

function endSession(handling: Handling, event: unknown, means: Means): void {
  const { state } = handling;
  scan(handling, means);
  giveUpCompaction(handling, means);
  giveUpWaits(handling, means);
  closeRun(handling, means, state.run?.stopped ?? now(means), false);
  reportDrops(handling, means);
  if (state.isOver) return;
  state.isOver = true;
  const durationMs = Math.max(0, means.clock.monotonicMs() - state.openedMonotonicMs);
  say(handling, means, 'pi.session.ended.v1', { reason: shutdownReasonOf(event), durationMs });
}

/** A new prompt ends a run whose end the host did not tell. */
function beginPrompt(handling: Handling, _event: unknown, means: Means): void {
  walk(handling, means);
  // Where the host does not tell of failures; what compacts before a prompt is done by now.
  if (means.runEnd === 'unsaid') giveUpCompaction(handling, means);
  const stopped = handling.state.run?.stopped;
  if (stopped != null) closeRun(handling, means, stopped, false);
}

/** Once per attempt: a retry belongs to the run that goes on. */
function startAgent(handling: Handling, _event: unknown, means: Means): void {
  const { state } = handling;
  walk(handling, means);
  attribute(handling, means);
  measureFixture(handling, means);
  state.run ??= startRun(means.clock.monotonicMs());
  state.run.attempts += 1;
  state.run.stopped = null;
}

function endAgent(handling: Handling, event: unknown, means: Means): void {
  const { state } = handling;
  walk(handling, means);
  timeTurn(handling, means);
  sampleTurn(handling, means); // omp appends a turn's last entry after `turn_end`
  if (state.run !== null) state.run.stopped = now(means);
  // pi before 0.80.4 never says that a run is over. It retries after an error alone, so anything
  // else ends the run; one that failed ends with the next prompt or the session.
  const isOver =
    means.runEnd === 'agent_end'
      ? !willContinueOf(event)
      : means.runEnd === 'unsaid' && state.run?.stopReason !== 'error';
  if (isOver) rest(handling, means, false);
}

/** The agent rests: time to look everywhere. */
function rest(handling: Handling, means: Means, aborted: boolean): void {
  scan(handling, means);
  attribute(handling, means);
  closeRun(handling, means, now(means), aborted);
  reportDrops(handling, means);
}

function endTurn(handling: Handling, _event: unknown, means: Means): void {
  walk(handling, means);
  timeTurn(handling, means);
  sampleTurn(handling, means);
}

function selectModel(handling: Handling, _event: unknown, means: Means): void {
  walk(handling, means);
  attribute(handling, means);
}

/** Calls that never end (the host was killed) must not pile up. */
const toolStartsMax = 512;

/**
 * The answer that made the call is recorded before the tool runs, however long it takes; an agent
 * that the tool starts is told of it.
 */
function startTool(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  timeTurn(handling, means);
  const { id, toolStarts } = handling.state;
  means.announceParent(id, placeAtLeaf(handling)?.turnEntryId ?? null);
  const tool = toolExecutionOf(event);
  if (tool === null) return;
  const [oldest] = toolStarts.keys();
  if (toolStarts.size >= toolStartsMax && oldest !== undefined) toolStarts.delete(oldest);
  toolStarts.set(tool.toolCallId, means.clock.monotonicMs());
}

function endTool(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  const tool = toolExecutionOf(event);
  const startedMs = tool === null ? undefined : handling.state.toolStarts.get(tool.toolCallId);
  if (tool === null || startedMs === undefined) return;
  handling.state.toolStarts.delete(tool.toolCallId);
  say(handling, means, 'pi.tool.timed.v1', {
    ...tool,
    durationMs: Math.max(0, means.clock.monotonicMs() - startedMs),
  });
}
