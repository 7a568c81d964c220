/** Pauses before the next attempt that double with each failure in a row, up to a bound. */
export interface Backoff {
  /** How long to wait after one more failure. */
  nextMs(): number;
  /** It went well. */
  reset(): void;
}

const firstMs = 100;
const longestMs = 5_000;

export function createBackoff(): Backoff {
  let failures = 0;
  return {
    nextMs() {
      const pauseMs = Math.min(longestMs, firstMs * 2 ** failures);
      failures += 1;
      return pauseMs;
    },
    reset() {
      failures = 0;
    },
  };
}
