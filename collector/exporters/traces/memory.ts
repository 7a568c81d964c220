/**
 * Keeps what is remembered of sessions within bounds, so that nothing is sent twice for as long as
 * there is room. Where it gets narrow, a session is reduced before any is forgotten: its open run
 * goes on, and of others it is known that they were sent. What has ended goes first, and what was
 * heard of least recently.
 *
 * A run ends when nothing of its session has arrived for an hour; the session is reduced then.
 */
import { minuteMs } from '@pi-ledger/core/time/units';
import { closeRun, promptHash } from './runs.ts';
import { bounds, type SessionTrace, type TraceState, touch } from './state.ts';
import { sessionText } from './state-text.ts';
import { type EmitSpan, releaseAll } from './timing.ts';

/** An ordinary session takes 2,000 bytes, a reduced one 300. */
export const limits = {
  sessions: 4_000,
  /** At most this many sessions stay of which nothing arrived for an hour. */
  silent: 500,
  /** Below what a checkpoint holds (`stateBytesMax`). */
  textBytes: 900_000,
} as const;

/** Once it is too long, it gets room for a while. */
const aimedShare = 0.8;
/** A reduced session keeps this many. */
const reduced = { runs: 2, answers: 2 } as const;

const silenceMs = 60 * minuteMs;

/** Looks for silent sessions once a minute of the log's time, which is that of arrival. */
export function passTime(state: TraceState, atMs: number, emit: EmitSpan): void {
  const minute = Math.floor(atMs / minuteMs) * minuteMs;
  if (minute <= state.minuteMs) return;
  state.minuteMs = minute;
  const silent = [...state.sessions.values()].filter(
    ({ arrivedMs }) => arrivedMs < minute - silenceMs,
  );
  for (const session of silent) {
    if (session.run !== null || !isReduced(session)) touch(state, session);
    closeRun(session, 'silence', emit);
    reduce(state, session, emit);
  }
  for (const { id } of silent.slice(0, -limits.silent)) forget(state, id);
}

/** Nothing is kept of it, and what it waits for is not sent. */
export function forget(state: TraceState, id: string): void {
  if (state.sessions.delete(id)) state.isChanged = true;
}

export function boundSessions(state: TraceState, emit: EmitSpan): void {
  if (state.sessions.size <= limits.sessions) return;
  const [oldest] = endedFirst(state);
  if (oldest !== undefined) evict(state, oldest, emit);
}

/** Made-up names can be long in every session. */
export function boundText(state: TraceState, emit: EmitSpan, bytesMax: number = limits.textBytes) {
  let bytes = [...state.sessions.values()].reduce((sum, each) => sum + size(state, each), 0);
  if (bytes <= bytesMax) return;
  for (const change of [reduce, evict])
    for (const session of endedFirst(state)) {
      if (bytes <= aimedShare * bytesMax) return;
      bytes -= size(state, session);
      change(state, session, emit);
      if (state.sessions.has(session.id)) bytes += size(state, session);
    }
}

/** With the comma behind it. */
function size(state: TraceState, session: SessionTrace): number {
  return sessionText(state, session).bytes + 1;
}

function endedFirst({ sessions }: TraceState): readonly SessionTrace[] {
  const all = [...sessions.values()];
  return [...all.filter(({ run }) => run === null), ...all.filter(({ run }) => run !== null)];
}

function evict(state: TraceState, session: SessionTrace, emit: EmitSpan): void {
  closeRun(session, 'evicted', emit);
  forget(state, session.id);
}

/** Does nothing with a session that is reduced already. */
function reduce(state: TraceState, session: SessionTrace, emit: EmitSpan): void {
  if (isReduced(session)) return;
  touch(state, session);
  releaseAll(session, emit);
  session.timings.length = 0;
  session.answers.splice(0, session.answers.length - reduced.answers);
  const former = session.runs.splice(0, session.runs.length - reduced.runs);
  session.sent.push(...former.map(({ prompt }) => promptHash(prompt)));
  session.sent.splice(0, session.sent.length - bounds.sent);
}

function isReduced({ runs, answers, timings, waiting }: SessionTrace): boolean {
  return (
    runs.length <= reduced.runs &&
    answers.length <= reduced.answers &&
    timings.length + waiting.length === 0
  );
}
