/**
 * Makes spans of events, in the log's order. Pure but for the state, which it changes: the same
 * events give the same spans, however they are split into batches.
 *
 * A run begins with its prompt, or with the first event that names it, and becomes a span when it
 * ends (`runs.ts`). What belongs to a run that has ended goes out with the same parent. Answers,
 * tools and compactions of a live host wait for their duration until the next answer or the end of
 * the run at the latest. How long a session is followed is said by `memory.ts`.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import type { StoredEvent } from '../../log/stored-event.ts';
import { boundSessions, forget, passTime } from './memory.ts';
import { addRunEvent, type ClosedBy, closeRun, enterRun, type RunScene } from './runs.ts';
import { addAnswer, addFailedCompaction, addSummary, addTool } from './scene.ts';
import { hearOrigin, openSession } from './sessions.ts';
import type { Timing, TraceState } from './state.ts';
import { type EmitSpan, releaseAll, takeTiming } from './timing.ts';

/** By session id. */
export type Facts = ReadonlyMap<string, SessionFacts>;

/** Spans are emitted in the order in which they are complete. */
export function foldTraces(
  state: TraceState,
  events: readonly StoredEvent[],
  facts: Facts,
  emit: EmitSpan,
): void {
  for (const stored of events) {
    if (stored.position <= state.position) continue;
    state.position = stored.position;
    passTime(state, stored.receivedAtMs, emit);
    const { event } = stored;
    if (stored.damage !== undefined || !isTraced(event)) continue;
    const known = facts.get(event.subject) ?? null;
    const { time } = event;
    const now = known?.at(time) ?? null;
    if (now?.isIgnored) leave(state, event, known);
    else if (event.type === 'pi.session.attributed.v1')
      hearOrigin(state, event, stored.receivedAtMs);
    else {
      const session = openSession(state, event, known);
      session.arrivedMs = Math.max(session.arrivedMs, stored.receivedAtMs);
      take({ session, facts: now, time, emit }, event);
      boundSessions(state, emit);
    }
  }
}

/** A run of before the session's project became an ignored one still ends. */
function leave(state: TraceState, { subject }: LedgerEvent, facts: SessionFacts | null): void {
  const openedAt = state.sessions.get(subject)?.run?.openedAt;
  if (openedAt !== undefined && facts?.at(openedAt).isIgnored) forget(state, subject);
}

/** All runs that are open end here. */
export function closeAll(state: TraceState, by: ClosedBy, emit: EmitSpan): void {
  for (const session of state.sessions.values()) closeRun(session, by, emit);
}

const traced: ReadonlySet<LedgerEvent['type']> = new Set<LedgerEvent['type']>([
  'pi.session.attributed.v1',
  'pi.prompt.submitted.v1',
  'pi.turn.completed.v1',
  'pi.turn.timed.v1',
  'pi.tool.completed.v1',
  'pi.tool.timed.v1',
  'pi.compaction.completed.v1',
  'pi.compaction.timed.v1',
  'pi.compaction.failed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.retry.scheduled.v1',
  'pi.retry.ended.v1',
  'pi.run.completed.v1',
  'pi.session.ended.v1',
]);

export function isTraced({ type }: LedgerEvent): boolean {
  return traced.has(type);
}

function take(scene: RunScene, event: LedgerEvent): void {
  const { session, emit } = scene;
  switch (event.type) {
    case 'pi.prompt.submitted.v1':
      enterRun(scene, event.data.entryId);
      break;
    case 'pi.turn.completed.v1':
      addAnswer(scene, event);
      break;
    case 'pi.tool.completed.v1':
      addTool(scene, event);
      break;
    case 'pi.compaction.completed.v1':
    case 'pi.branch.summarized.v1':
    case 'pi.usage.recorded.v1':
      addSummary(scene, event);
      break;
    case 'pi.compaction.failed.v1':
      addFailedCompaction(scene, event);
      break;
    case 'pi.retry.scheduled.v1':
    case 'pi.retry.ended.v1':
      addRetry(scene, event);
      break;
    case 'pi.run.completed.v1':
      endRun(scene, event);
      break;
    case 'pi.session.ended.v1':
      closeRun(session, 'session_end', emit);
      break;
    default:
      measure(scene, event);
  }
}

const noTiming: Timing = { durationMs: null, firstMs: null, trigger: null };

function measure({ session, emit }: RunScene, event: LedgerEvent): void {
  if (event.type === 'pi.turn.timed.v1') {
    const { entryId, durationMs, timeToFirstByteMs: firstMs } = event.data;
    takeTiming(session, `turn:${entryId}`, { ...noTiming, durationMs, firstMs }, emit);
  } else if (event.type === 'pi.tool.timed.v1') {
    const { toolCallId, durationMs } = event.data;
    takeTiming(session, `tool:${toolCallId}`, { ...noTiming, durationMs }, emit);
  } else if (event.type === 'pi.compaction.timed.v1') {
    const { entryId, durationMs, trigger } = event.data;
    const key = `compaction:${entryId ?? ''}`;
    takeTiming(session, key, { ...noTiming, durationMs, trigger }, emit);
  }
}

/** One of a run that was sent is in no span: what is given up is a log record, too. */
function addRetry(
  scene: RunScene,
  event: LedgerEvent<'pi.retry.scheduled.v1' | 'pi.retry.ended.v1'>,
): void {
  const { promptEntryId } = event.data;
  const run = promptEntryId === null ? scene.session.run : enterRun(scene, promptEntryId);
  if (run === null) return;
  const isEnd = event.type === 'pi.retry.ended.v1';
  addRunEvent(run, {
    name: isEnd ? 'pi.retry.ended' : 'pi.retry.scheduled',
    timeMs: Date.parse(event.time),
    attributes: isEnd
      ? { 'pi.retry.attempts': event.data.attempts, 'pi.retry.succeeded': event.data.succeeded }
      : { 'pi.retry.attempt': event.data.attempt },
  });
}

/** The agent is idle, whichever of its prompts the host names. */
function endRun(scene: RunScene, event: LedgerEvent<'pi.run.completed.v1'>): void {
  const { session, emit } = scene;
  const { promptEntryId, durationMs, outcome } = event.data;
  const endMs = Date.parse(event.time);
  releaseAll(session, emit);
  if (session.run === null && promptEntryId !== null)
    enterRun(scene, promptEntryId, endMs - durationMs);
  if (session.run === null) return;
  session.run.endMs = Math.max(session.run.endMs, endMs);
  closeRun(session, 'run_completed', emit, outcome);
}
