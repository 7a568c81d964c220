/** Time as an argument, so that tests need not wait. */
export interface Clock {
  /** Wall clock, ms since 1970. */
  nowMs(): number;
  /**
   * Contract: calls back once, never before it has returned; the answer cancels it. Only with
   * `holdsProcess` does a pending timer keep the process alive.
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
