/** Puts the spans of events into their runs. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { SessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import { enterRun, stretch } from './runs.ts';
import {
  answerSpan,
  failedCompactionSpan,
  type SummaryEvent,
  type Surroundings,
  summarySpan,
  toolSpan,
} from './spans-of-events.ts';
import { bounds, keep, type OpenRun, placeOf, type SessionTrace } from './state.ts';
import { type Emit, emitTimed, releaseAll } from './timing.ts';

export interface Scene {
  readonly session: SessionTrace;
  readonly facts: SessionFacts | null;
  readonly emit: Emit;
}

export function addAnswer(scene: Scene, event: LedgerEvent<'pi.turn.completed.v1'>): void {
  const { session, facts, emit } = scene;
  const { entryId, promptEntryId, durationMs, timeToFirstTokenMs } = event.data;
  releaseAll(session, emit);
  const { run, around } = surround(scene, event, promptEntryId);
  const draft = answerSpan(event, around);
  keep(session.answers, { entryId, spanId: draft.spanId }, bounds.answers);
  const isTimed = durationMs !== null && (timeToFirstTokenMs !== null || facts?.hostName === 'omp');
  if (run !== null) stretch(run, draft);
  emitTimed(session, { key: `turn:${entryId}`, draft, mayWait: !isTimed && isLive(event) }, emit);
}

/** Below the answer that made the call, where that is remembered; else below the run. */
export function addTool(scene: Scene, event: LedgerEvent<'pi.tool.completed.v1'>): void {
  const { session, emit } = scene;
  const { entryId, promptEntryId, turnEntryId, toolCallId, durationMs } = event.data;
  const { run, around } = surround(scene, event, promptEntryId);
  const answer = session.answers.findLast((each) => each.entryId === turnEntryId);
  const place = { ...around.place, ...(answer === undefined ? {} : { spanId: answer.spanId }) };
  const draft = toolSpan(event, { ...around, place });
  if (run !== null) stretch(run, draft);
  const mayWait = durationMs === null && isLive(event);
  emitTimed(session, { key: `tool:${toolCallId ?? entryId}`, draft, mayWait }, emit);
}

export function addSummary(scene: Scene, event: SummaryEvent): void {
  const { session, emit } = scene;
  const { entryId, promptEntryId } = event.data;
  const isCompaction = event.type === 'pi.compaction.completed.v1';
  const { run, around } = surround(scene, event, promptEntryId);
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
  scene: Scene,
  event: LedgerEvent<'pi.compaction.failed.v1'>,
): void {
  const { run, around } = surround(scene, event, null);
  const draft = failedCompactionSpan(event, around);
  if (run !== null) stretch(run, draft);
  scene.emit(draft);
}

interface Found {
  /** Null: it has ended. */
  readonly run: OpenRun | null;
  readonly around: Surroundings;
}

/** Without a prompt above, an event belongs to the run that is open. */
function surround(
  { session, facts, emit }: Scene,
  { time }: LedgerEvent,
  promptEntryId: string | null,
): Found {
  const prompt = promptEntryId ?? session.run?.prompt ?? '';
  const run = enterRun(session, prompt, Date.parse(time), emit);
  const around = {
    place: placeOf(session, prompt),
    labels: session.labels,
    isCompacted: run?.isCompacted ?? false,
    billingOf: ({ provider }: Pick<Spend, 'provider'>) =>
      facts?.billingOf(provider ?? '', time) ?? 'unknown',
  };
  return { run, around };
}

/** Importers tell no durations but those of the entries. */
function isLive({ source }: LedgerEvent): boolean {
  return !source.startsWith('/importers/');
}
