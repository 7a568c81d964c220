/** Gives spans the durations that live hosts measure, whichever comes first. */
import { compact, type SpanDraft } from './draft.ts';
import { bounds, keep, type SessionTrace, type Timing } from './state.ts';

export type EmitSpan = (draft: SpanDraft) => void;

/** A duration; the span that it is of may be waiting for it, or still come. */
export function takeTiming(
  session: SessionTrace,
  key: string,
  timing: Timing,
  emit: EmitSpan,
): void {
  const at = session.waiting.findIndex((each) => each.key === key);
  const [found] = at < 0 ? [] : session.waiting.splice(at, 1);
  if (found === undefined) keep(session.timings, { ...timing, key }, bounds.timings);
  else emit(timed(found.draft, timing));
}

/** Emits the span, or keeps it until its duration comes or nothing more is to be expected. */
export function emitTimed(
  session: SessionTrace,
  { key, draft, mayWait }: { key: string; draft: SpanDraft; mayWait: boolean },
  emit: EmitSpan,
): void {
  const at = session.timings.findIndex((each) => each.key === key);
  const [timing] = at < 0 ? [] : session.timings.splice(at, 1);
  if (timing !== undefined) emit(timed(draft, timing));
  else if (!mayWait) emit(draft);
  else {
    session.waiting.push({ key, draft });
    if (session.waiting.length > bounds.waiting) emitOldest(session, emit);
  }
}

/** What waits has waited long enough. */
export function releaseAll(session: SessionTrace, emit: EmitSpan): void {
  while (session.waiting.length > 0) emitOldest(session, emit);
}

function emitOldest({ waiting }: SessionTrace, emit: EmitSpan): void {
  const oldest = waiting.shift();
  if (oldest !== undefined) emit(oldest.draft);
}

function timed(draft: SpanDraft, { durationMs, firstMs, trigger }: Timing): SpanDraft {
  const attributes = compact({
    ...draft.attributes,
    ...(firstMs === null ? {} : { 'gen_ai.response.time_to_first_chunk': toSeconds(firstMs) }),
    ...(trigger === null ? {} : { 'pi.compaction.trigger': trigger }),
    ...(durationMs === null ? {} : { 'pi.duration.source': undefined }),
  });
  return durationMs === null
    ? { ...draft, attributes }
    : { ...draft, attributes, ...lasting(draft, durationMs) };
}

/** From the start where the request's time is known; else up to the time of the entry. */
function lasting({ startMs, endMs }: SpanDraft, durationMs: number) {
  return startMs < endMs
    ? { startMs, endMs: startMs + durationMs }
    : { startMs: endMs - durationMs, endMs };
}

export function toSeconds(ms: number): number {
  return ms / 1_000;
}
