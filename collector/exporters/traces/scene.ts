/** Puts the spans of events into their runs. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { loneTraceId, noPrompt } from '../span-ids.ts';
import type { RunPlace } from './draft.ts';
import { enterRun, type RunScene, stretch } from './runs.ts';
import { labelAttributes } from './sessions.ts';
import {
  answerSpan,
  failedCompactionSpan,
  type SpanSurroundings,
  type SummaryEvent,
  summarySpan,
  toolSpan,
} from './spans-of-events.ts';
import { bounds, keep, type OpenRun, placeOf, type SessionTrace } from './state.ts';
import { emitTimed, releaseAll } from './timing.ts';

export function addAnswer(scene: RunScene, event: LedgerEvent<'pi.turn.completed.v1'>): void {
  const { session, facts, emit } = scene;
  const { entryId, promptEntryId, durationMs, timeToFirstTokenMs } = event.data;
  releaseAll(session, emit);
  const { run, around } = surround(scene, event, promptEntryId ?? noPrompt);
  const draft = answerSpan(event, around);
  keep(session.answers, { entryId, spanId: draft.spanId }, bounds.answers);
  const isTimed = durationMs !== null && (timeToFirstTokenMs !== null || facts?.hostName === 'omp');
  if (run !== null) stretch(run, draft);
  emitTimed(session, { key: `turn:${entryId}`, draft, mayWait: !isTimed && isLive(event) }, emit);
}

/** Below the answer that made the call, where that is remembered; else below the run. */
export function addTool(scene: RunScene, event: LedgerEvent<'pi.tool.completed.v1'>): void {
  const { session, emit } = scene;
  const { entryId, promptEntryId, turnEntryId, toolCallId, durationMs } = event.data;
  const { run, around } = surround(scene, event, promptEntryId ?? noPrompt);
  const answer = session.answers.findLast((each) => each.entryId === turnEntryId);
  const place = { ...around.place, ...(answer === undefined ? {} : { spanId: answer.spanId }) };
  const draft = toolSpan(event, { ...around, place });
  if (run !== null) stretch(run, draft);
  const mayWait = durationMs === null && isLive(event);
  emitTimed(session, { key: `tool:${toolCallId ?? entryId}`, draft, mayWait }, emit);
}

export function addSummary(scene: RunScene, event: SummaryEvent): void {
  const { session, emit } = scene;
  const { entryId, promptEntryId } = event.data;
  const isCompaction = event.type === 'pi.compaction.completed.v1';
  const isAside = event.type === 'pi.usage.recorded.v1';
  const { run, around } = surround(scene, event, promptEntryId ?? (isAside ? null : noPrompt));
  if (isCompaction && run !== null) run.isCompacted = true;
  const draft = summarySpan(event, {
    ...around,
    isCompacted: isCompaction || around.isCompacted,
  });
  if (run !== null) stretch(run, draft);
  const mayWait = isCompaction && isLive(event);
  emitTimed(session, { key: `compaction:${entryId}`, draft, mayWait }, emit);
}

export function addFailedCompaction(
  scene: RunScene,
  event: LedgerEvent<'pi.compaction.failed.v1'>,
): void {
  const { run, around } = surround(scene, event, null);
  const draft = failedCompactionSpan(event, around);
  if (run !== null) stretch(run, draft);
  scene.emit(draft);
}

interface Found {
  /** It is null once the run has ended. */
  readonly run: OpenRun | null;
  readonly around: SpanSurroundings;
}

/**
 * What is of no run (`prompt` is null) has a trace of its own, or is below the run that its
 * subagent works for; it is linked to the run that is open.
 */
function surround(scene: RunScene, { id }: LedgerEvent, prompt: string | null): Found {
  const { session, facts, time } = scene;
  const run = prompt === null ? null : enterRun(scene, prompt);
  const open = prompt === null ? openPlace(session) : null;
  const beganMs = Date.parse(time);
  const around = {
    place:
      prompt === null
        ? (session.under ?? { traceId: loneTraceId(id), spanId: null, beganMs })
        : placeOf(session, prompt, beganMs),
    links: open === null ? [] : [open],
    labels: labelAttributes(session.id, facts),
    isCompacted: run?.isCompacted ?? false,
    billingOf: ({ provider }: Pick<Spend, 'provider'>) =>
      facts?.billingOf(provider ?? '') ?? 'unknown',
  };
  return { run, around };
}

function openPlace(session: SessionTrace): RunPlace | null {
  const { run } = session;
  return run === null ? null : placeOf(session, run.prompt, run.startMs);
}

/** Importers tell no durations but those of the entries. */
function isLive({ source }: LedgerEvent): boolean {
  return !source.startsWith('/importers/');
}
