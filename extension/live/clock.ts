/** Time as the recorder needs it, an argument so that tests can set it. */
export interface RecorderClock {
  /** Wall clock, ms since 1970. */
  nowMs(): number;
  /** Only differences are meaningful. */
  monotonicMs(): number;
  /** Wall clock at the start of this process. */
  readonly processStartMs: number;
  /** Calls back soon, off the caller's path, without keeping the process alive. */
  soon(callback: () => void): void;
}

export const recorderClock: RecorderClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  processStartMs: performance.timeOrigin,
  soon: (callback) => {
    setTimeout(callback, 0).unref();
  },
};
