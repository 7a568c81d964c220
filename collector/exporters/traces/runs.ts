/** Opens and closes the runs of agents: each becomes one span when it is over. */
import { hash } from 'node:crypto';
import type { FactsAt } from '@pi-ledger/contract/telemetry/session-facts';
import { compact, type SpanDraft, type SpanEvent, spanName } from './draft.ts';
import { labelAttributes } from './sessions.ts';
import { bounds, keep, type OpenRun, placeOf, type SessionTrace } from './state.ts';
import { type EmitSpan, releaseAll } from './timing.ts';

export type ClosedBy =
  | 'run_completed'
  | 'next_prompt'
  | 'session_end'
  | 'silence'
  | 'evicted'
  | 'end_of_export';

/** An event among what is known around it. */
export interface RunScene {
  readonly session: SessionTrace;
  /** At the event's time. */
  readonly facts: FactsAt | null;
  readonly time: string;
  readonly emit: EmitSpan;
}

/** The open run becomes this one, unless it is one that was closed: then null. */
export function enterRun(
  { session, facts, time, emit }: RunScene,
  prompt: string,
  startMs = Date.parse(time),
): OpenRun | null {
  if (session.run?.prompt === prompt) return session.run;
  if (session.runs.some((run) => run.prompt === prompt) || wasSent(session, prompt)) return null;
  closeRun(session, 'next_prompt', emit);
  keep(session.runs, { prompt, startMs }, bounds.runs);
  session.run = {
    prompt,
    openedAt: time,
    labels: labelAttributes(session.id, facts),
    parentSessionId: facts?.parentSessionId ?? null,
    startMs,
    endMs: startMs,
    isCompacted: false,
    events: [],
  };
  return session.run;
}

/** A run that is remembered by no more than that it was sent. */
function wasSent({ sent }: SessionTrace, prompt: string): boolean {
  return sent.length > 0 && sent.includes(promptHash(prompt));
}

/** 36 bits: prompts of one session are told apart. */
export function promptHash(prompt: string): string {
  return hash('sha256', prompt, 'base64url').slice(0, 6);
}

/** The run reaches over what happened in it. */
export function stretch(run: OpenRun, { startMs, endMs }: Pick<SpanDraft, 'startMs' | 'endMs'>) {
  run.startMs = Math.min(run.startMs, startMs);
  run.endMs = Math.max(run.endMs, endMs);
}

export function addRunEvent(run: OpenRun, event: SpanEvent): void {
  keep(run.events, event, bounds.events);
  stretch(run, { startMs: event.timeMs, endMs: event.timeMs });
}

/** Does nothing without an open run, but what waits in it goes out. */
export function closeRun(
  session: SessionTrace,
  by: ClosedBy,
  emit: EmitSpan,
  outcome: string | null = null,
): void {
  releaseAll(session, emit);
  const { run } = session;
  if (run === null) return;
  session.run = null;
  emit(runSpan(session, run, { by, outcome }));
  session.forkOf = null;
}

function runSpan(
  session: SessionTrace,
  run: OpenRun,
  { by, outcome }: { by: ClosedBy; outcome: string | null },
): SpanDraft {
  const { under, worksFor, forkOf } = session;
  const { startMs, endMs, labels, parentSessionId, isCompacted, events } = run;
  const agent = labels['gen_ai.agent.name'];
  return {
    ...placeOf(session, run.prompt, startMs),
    key: 'run',
    parentSpanId: under?.spanId ?? null,
    name: spanName('run', typeof agent === 'string' ? agent : ''),
    startMs,
    endMs,
    attributes: compact({
      'gen_ai.operation.name': 'invoke_agent',
      ...labels,
      'gen_ai.conversation.compacted': isCompacted ? true : null,
      'pi.session.parent_id': parentSessionId,
      'pi.outcome': outcome,
      'pi.run.closed_by': by,
      'error.type': outcome === 'failed' ? 'unknown' : null,
    }),
    events,
    links: [worksFor, forkOf].filter((place) => place !== null),
  };
}
