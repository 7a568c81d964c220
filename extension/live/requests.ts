/**
 * Requests to the model, as the running host shows them: how soon an answer began, how long it
 * took, what its response said of limits, and what omp asks again. An answer is known again by the
 * time of its request, which the host says in both places.
 *
 * pi says when an answer begins, and its entry (before 1.0) not how long it took; omp's entries
 * have both, so nobody listens there.
 */
import { answerBegunOf, responseOf, retryOf } from '../host/requests.ts';
import type { Handling } from './hook-call.ts';
import { limitsIn } from './rate-limits.ts';
import { circumstances, type Means, now, say, walk } from './steps.ts';

export interface OpenRequest {
  readonly startedAtMs: number;
  readonly startedMonotonicMs: number;
  /** By the wall clock, as the answer says it. */
  requestedAtMs: number | null;
  /** Null as well for an attempt that failed before an answer began. */
  begunMonotonicMs: number | null;
  status: number | null;
}

export function startRequest(handling: Handling, _event: unknown, means: Means): void {
  const { atMs, monotonicMs } = now(means);
  handling.state.request = {
    startedAtMs: atMs,
    startedMonotonicMs: monotonicMs,
    requestedAtMs: null,
    begunMonotonicMs: null,
    status: null,
  };
}

export function beginAnswer({ state }: Handling, event: unknown, means: Means): void {
  const answer = state.request === null ? null : answerBegunOf(event);
  if (state.request === null || answer === null) return;
  state.request.requestedAtMs = answer.requestedAtMs;
  if (!answer.hasFailed) state.request.begunMonotonicMs = means.clock.monotonicMs();
}

/** After a walk: an answer that it found is the end of the request. */
export function timeTurn(handling: Handling, means: Means): void {
  const { request, untimedTurn: turn } = handling.state;
  handling.state.untimedTurn = null;
  if (
    request === null ||
    turn === null ||
    request.requestedAtMs === null ||
    turn.requestedAtMs !== request.requestedAtMs
  )
    return;
  handling.state.request = null;
  const endedMonotonicMs = means.clock.monotonicMs();
  const requestedMonotonicMs = requestedAt(request, endedMonotonicMs);
  const since = (monotonicMs: number) => Math.max(0, monotonicMs - requestedMonotonicMs);
  say(handling, means, 'pi.turn.timed.v1', {
    entryId: turn.entryId,
    promptEntryId: turn.promptEntryId,
    provider: turn.spend.provider,
    model: turn.spend.model,
    timeToFirstByteMs: request.begunMonotonicMs === null ? null : since(request.begunMonotonicMs),
    durationMs: turn.durationMs === null ? since(endedMonotonicMs) : null,
    status: request.status,
  });
}

/**
 * Hosts prepare a request before they make it. A clock that was set meanwhile says nothing: then
 * from the turn's start.
 */
function requestedAt(
  { startedAtMs, startedMonotonicMs, requestedAtMs, begunMonotonicMs }: OpenRequest,
  endedMonotonicMs: number,
): number {
  const preparedMs = (requestedAtMs ?? startedAtMs) - startedAtMs;
  const isPossible =
    preparedMs >= 0 &&
    preparedMs <= (begunMonotonicMs ?? endedMonotonicMs) - startedMonotonicMs + clockGrainMs;
  return startedMonotonicMs + (isPossible ? preparedMs : 0);
}

/** Wall clocks tell whole milliseconds. */
const clockGrainMs = 1;

const firstErrorStatus = 400;

export function hearResponse(handling: Handling, event: unknown, means: Means): void {
  const { status, headers } = responseOf(event);
  if (handling.state.request !== null) handling.state.request.status = status;
  const { retryAfterMs, limits } = limitsIn(headers, means.clock.nowMs());
  if (limits.length === 0 && retryAfterMs === null && (status ?? 0) < firstErrorStatus) return;
  walk(handling, means);
  say(handling, means, 'pi.response.received.v1', {
    ...circumstances(handling),
    status,
    retryAfterMs,
    limits,
  });
}

export function scheduleRetry(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  const { attempt, attemptsMax, delayMs } = retryOf(event);
  handling.state.retryingSinceMs ??= means.clock.monotonicMs();
  say(handling, means, 'pi.retry.scheduled.v1', {
    ...circumstances(handling),
    attempt,
    attemptsMax,
    delayMs,
  });
}

export function endRetry(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  const { attempt, succeeded } = retryOf(event);
  const { retryingSinceMs } = handling.state;
  handling.state.retryingSinceMs = null;
  const durationMs =
    retryingSinceMs === null ? null : Math.max(0, means.clock.monotonicMs() - retryingSinceMs);
  say(handling, means, 'pi.retry.ended.v1', {
    ...circumstances(handling),
    attempts: attempt,
    succeeded,
    durationMs,
  });
}
