/** Time as an argument, so that tests do not have to wait. */
export interface Clock {
  /** Wall clock, ms since 1970. */
  nowMs(): number;
  /**
   * Contract: calls back once, and never before it has returned. The returned function cancels it.
   * A pending timer keeps the process alive only with `holdsProcess`.
   */
  after(delayMs: number, callback: () => void, holdsProcess?: boolean): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback, holdsProcess = false) {
    const timer = setTimeout(callback, delayMs);
    if (!holdsProcess) timer.unref();
    return () => clearTimeout(timer);
  },
};
