/**
 * Requests to the model, as the running host shows them: time to first byte, duration, rate limits
 * in the response, and omp's retries. An answer is matched to its request by the request time,
 * which the host gives in both.
 *
 * pi reports when an answer begins, but its entry (before 1.0) not how long it took. omp's entries
 * hold both, so nothing is listened to there.
 */
import type { EventData } from '@pi-ledger/contract';
import { conversationTokens } from '../../core/record/orchestration.ts';
import { readAnswerBegun, readResponse, readRetry } from '../host/requests.ts';
import type { HookCall } from './hook-call.ts';
import { limitsIn } from './limits/rate-limits.ts';
import type { OpenRequest } from './session-state.ts';
import { emit, type RecorderDeps, walk } from './steps.ts';
import { leafContext, now } from './turn-steps.ts';

export function startRequest(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  const { atMs, monotonicMs } = now(deps);
  call.state.request = {
    startedAtMs: atMs,
    startedMonotonicMs: monotonicMs,
    requestedAtMs: null,
    begunMonotonicMs: null,
    status: null,
  };
}

export function beginAnswer({ state }: HookCall, event: unknown, deps: RecorderDeps): void {
  const answer = state.request === null ? null : readAnswerBegun(event);
  if (state.request === null || answer === null) return;
  state.request.requestedAtMs = answer.requestedAtMs;
  if (!answer.hasFailed) state.request.begunMonotonicMs = deps.clock.monotonicMs();
}

/** After a walk: an answer found there ends the request. */
export function timeTurn(call: HookCall, deps: RecorderDeps): void {
  const { request, untimedTurn: turn } = call.state;
  call.state.untimedTurn = null;
  if (
    request === null ||
    turn === null ||
    request.requestedAtMs === null ||
    turn.requestedAtMs !== request.requestedAtMs
  )
    return;
  call.state.request = null;
  const endedMonotonicMs = deps.clock.monotonicMs();
  const requestedMonotonicMs = requestedAt(request, endedMonotonicMs);
  const since = (monotonicMs: number) => Math.max(0, monotonicMs - requestedMonotonicMs);
  emit(call, deps, 'pi.turn.timed.v1', {
    entryId: turn.entryId,
    promptEntryId: turn.promptEntryId,
    provider: turn.spend.provider,
    model: turn.spend.model,
    timeToFirstByteMs: request.begunMonotonicMs === null ? null : since(request.begunMonotonicMs),
    durationMs: turn.durationMs === null ? since(endedMonotonicMs) : null,
    status: request.status,
    outputTokens: hasCome(turn) ? conversationTokens(turn.spend).outputTokens : null,
  });
}

function hasCome({ spend, stopReason }: EventData<'pi.turn.completed.v1'>): boolean {
  return spend.reported && stopReason !== 'error' && stopReason !== 'aborted';
}

/**
 * Hosts prepare a request before they send it. If the clock was set in between, the time counts
 * from the start of the turn.
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

/** Wall clocks have a resolution of 1 ms. */
const clockGrainMs = 1;

const firstErrorStatus = 400;

export function recordResponse(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const { status, headers } = readResponse(event);
  if (call.state.request !== null) call.state.request.status = status;
  const { retryAfterMs, limits } = limitsIn(headers, deps.clock.nowMs());
  if (limits.length === 0 && retryAfterMs === null && (status ?? 0) < firstErrorStatus) return;
  walk(call, deps);
  emit(call, deps, 'pi.response.received.v1', {
    ...leafContext(call),
    status,
    retryAfterMs,
    limits,
  });
}

export function scheduleRetry(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  const { attempt, attemptsMax, delayMs } = readRetry(event);
  call.state.retryingSinceMs ??= deps.clock.monotonicMs();
  emit(call, deps, 'pi.retry.scheduled.v1', {
    ...leafContext(call),
    attempt,
    attemptsMax,
    delayMs,
  });
}

export function endRetry(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  const { attempt, succeeded } = readRetry(event);
  const { retryingSinceMs } = call.state;
  call.state.retryingSinceMs = null;
  const durationMs =
    retryingSinceMs === null ? null : Math.max(0, deps.clock.monotonicMs() - retryingSinceMs);
  emit(call, deps, 'pi.retry.ended.v1', {
    ...leafContext(call),
    attempts: attempt,
    succeeded,
    durationMs,
  });
}
