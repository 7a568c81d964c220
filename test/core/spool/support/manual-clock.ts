import type { Clock } from '../../../../extension/clock.ts';

export interface ManualClock extends Clock {
  /** Advances the time and calls back what is due, in order. */
  advance(ms: number): void;
  /** Delays of the pending timers, in the order they were set. */
  armedMs(): readonly number[];
}

interface Timer {
  readonly dueAtMs: number;
  readonly delayMs: number;
  readonly callback: () => void;
}

/**
 * Time only moves when a test advances it; timers of 0 ms run by themselves, in the next turn of
 * the event loop.
 */
export function manualClock(startMs = Date.UTC(2026, 10, 21)): ManualClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();
  return {
    nowMs: () => nowMs,
    after(delayMs, callback) {
      if (delayMs === 0) {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      }
      const timer = { dueAtMs: nowMs + delayMs, delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      const due = [...timers]
        .filter(({ dueAtMs }) => dueAtMs <= nowMs)
        .sort((a, b) => a.dueAtMs - b.dueAtMs);
      for (const timer of due) {
        if (timers.delete(timer)) timer.callback();
      }
    },
    armedMs: () => [...timers].map(({ delayMs }) => delayMs),
  };
}
