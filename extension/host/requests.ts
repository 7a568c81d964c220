/**
 * Hook payloads about requests to a model. Of the headers, only what live/rate-limits.ts allows
 * leaves the recorder.
 *
 * Contract of all functions here: they never throw; missing values are null.
 */
import { asCount, asDurationMs, asInteger, asObject } from '../../core/record/fields.ts';

/** `message_start` of an answer: when it was requested (wall clock). Null for other messages. */
export function readAnswerBegun(
  event: unknown,
): { readonly requestedAtMs: number | null; readonly hasFailed: boolean } | null {
  const message = asObject(asObject(event)?.message);
  if (message?.role !== 'assistant') return null;
  return {
    requestedAtMs: asCount(message.timestamp),
    hasFailed: message.stopReason === 'error' || message.stopReason === 'aborted',
  };
}

/** `after_provider_response`. */
export function readResponse(event: unknown): {
  readonly status: number | null;
  readonly headers: unknown;
} {
  const body = asObject(event);
  const status = asInteger(body?.status);
  return {
    status: status !== null && status >= 100 && status <= 999 ? status : null,
    headers: body?.headers,
  };
}

export interface RetryNotice {
  readonly attempt: number;
  readonly attemptsMax: number | null;
  readonly delayMs: number | null;
  readonly succeeded: boolean;
}

/** omp's `auto_retry_start` and `auto_retry_end`. */
export function readRetry(event: unknown): RetryNotice {
  const body = asObject(event);
  return {
    attempt: asCount(body?.attempt) ?? 0,
    attemptsMax: asCount(body?.maxAttempts),
    delayMs: asDurationMs(body?.delayMs),
    succeeded: body?.success === true,
  };
}
