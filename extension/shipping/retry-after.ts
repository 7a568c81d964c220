/** A collector cannot delay a producer for longer than this. */
const retryAfterMaxMs = 60 * 60 * 1000;

/** `Retry-After` as seconds or as an HTTP date (RFC 9110, 10.2.3); null if missing or invalid. */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const delayMs = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(0, delayMs), retryAfterMaxMs);
}
