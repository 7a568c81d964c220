/**
 * What the exporter of traces remembers between batches: runs that have not ended, spans whose
 * duration may still come, and of runs that ended enough to recognise what comes late. Bounded
 * (`memory.ts`), and written down with the checkpoint (`state-text.ts`).
 */
import { promptTraceId, runSpanId } from '../span-ids.ts';
import type { RunPlace, SpanAttributes, SpanDraft, SpanEvent, SpanPlace } from './draft.ts';

export interface TraceState {
  /** Everything up to here is in it: an event that comes again changes nothing. */
  position: number;
  /** The log's newest minute of arrival, in ms. */
  minuteMs: number;
  /** By id, the one that was heard of least recently first. */
  readonly sessions: Map<string, SessionTrace>;
  /** Since it was written: sessions are new, changed or forgotten. */
  isChanged: boolean;
  /** It keeps the text that a session was last written as; one that changed has none (`touch`). */
  readonly texts: WeakMap<SessionTrace, SessionText>;
}

export interface SessionText {
  readonly text: string;
  /** In UTF-8. */
  readonly bytes: number;
}

export interface SessionTrace {
  readonly id: string;
  /** When its last event arrived. */
  arrivedMs: number;
  /** What the log has said of where it comes from, before its first span; null: nothing. */
  origin: Origin | null;
  /** It had its first span: the next three hold. */
  isPlaced: boolean;
  /** The run that this subagent works for; null: it is none, or the run is not known. */
  under: RunPlace | null;
  /** That run, where it came later: the subagent's runs are linked to it. */
  worksFor: SpanPlace | null;
  /** The run that this session continues as a fork. */
  forkOf: SpanPlace | null;
  run: OpenRun | null;
  /** The newest runs, open or not, in the order in which they began here. */
  readonly runs: KnownRun[];
  /** Hashes of the prompts of runs before those: they have been sent. */
  readonly sent: string[];
  /** The newest answers: their tools are below them. */
  readonly answers: Answer[];
  /** Durations that came before what they are of. */
  readonly timings: KeyedTiming[];
  readonly waiting: Waiting[];
}

interface Origin {
  readonly parentSessionId: string | null;
  readonly agentKind: 'main' | 'subagent';
}

export interface OpenRun {
  readonly prompt: string;
  /** The time of its first event. */
  readonly openedAt: string;
  /** Whose the session was then. */
  readonly labels: SpanAttributes;
  readonly parentSessionId: string | null;
  startMs: number;
  endMs: number;
  isCompacted: boolean;
  readonly events: SpanEvent[];
}

interface KnownRun {
  readonly prompt: string;
  /** As told when it began. */
  readonly startMs: number;
}

interface Answer {
  readonly entryId: string;
  readonly spanId: string;
}

export interface Timing {
  readonly durationMs: number | null;
  readonly firstMs: number | null;
  readonly trigger: string | null;
}

/** `turn:<entry>`, `tool:<call>` or `compaction:<entry>`. */
interface KeyedTiming extends Timing {
  readonly key: string;
}

/** Ready, but for its duration. */
interface Waiting {
  readonly key: string;
  readonly draft: SpanDraft;
}

export const bounds = {
  runs: 32,
  sent: 16,
  answers: 12,
  timings: 16,
  waiting: 12,
  events: 24,
} as const;

export function createTraceState(position: number): TraceState {
  return {
    ...{ position, minuteMs: 0, sessions: new Map<string, SessionTrace>() },
    ...{ isChanged: false, texts: new WeakMap<SessionTrace, SessionText>() },
  };
}

/** The session is about to change, or has changed. */
export function touch(state: TraceState, session: SessionTrace): void {
  state.isChanged = true;
  state.texts.delete(session);
}

/** Where the run's own span is. `beganMs`: where it is not remembered. */
export function placeOf(
  { id, under, runs }: SessionTrace,
  prompt: string,
  beganMs: number,
): RunPlace {
  const known = runs.findLast((run) => run.prompt === prompt);
  return {
    traceId: under?.traceId ?? promptTraceId(id, prompt),
    spanId: runSpanId(id, prompt),
    beganMs: under?.beganMs ?? known?.startMs ?? beganMs,
  };
}

/** The run that went on at this time, as far as it is remembered; the newest that had begun. */
export function runAt(session: SessionTrace | undefined, timeMs: number): RunPlace | null {
  const run = session?.runs.findLast(({ startMs }) => startMs <= timeMs);
  return session === undefined || run === undefined
    ? null
    : placeOf(session, run.prompt, run.startMs);
}

/** Adds to a list that keeps its newest items. */
export function keep<Item>(list: Item[], item: Item, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
