/**
 * When a subscriber gets its next batch: requests and views go first.
 *
 * - As long as they keep the thread busy, it waits: a burst of events is taken in at full speed,
 *   and handed on afterwards.
 * - Not for ever: after half a minute it gets a batch now and then, so that it advances under any
 *   load. What it has not read yet waits in the log, not in memory.
 * - While one batch holds all that waits, it works a tenth of the time at most: single events are
 *   handed over together, and its state is stored once for them.
 */
import { performance } from 'node:perf_hooks';

export interface Pace {
  /** Before each batch. `isFull`: more waits than one batch holds. May end early. */
  turn(isFull: boolean): Promise<void>;
  /** It has been handed a batch, and took so long. `isBehind`: there is more. */
  took(ms: number, isBehind: boolean): void;
}

export interface PaceOptions {
  /** May end early. Never rejects. */
  wait(ms: number): Promise<void>;
  isStopping(): boolean;
  now?: () => number;
  /** The part of the time, from 0 to 1, in which the thread worked since this was called last. */
  utilization?: () => number;
}

const lookMs = 10;
const busyMin = 0.5;
const patienceMs = 30_000;
const impatientPauseMs = 200;
/** After a batch it rests this many times as long as the batch took. */
const restShare = 9;
const restMsMax = 1_000;

export function createPace({
  wait,
  isStopping,
  now = () => performance.now(),
  utilization = threadUtilization(),
}: PaceOptions): Pace {
  let behindSinceMs: number | null = null;
  let restUntilMs = 0;

  async function isQuiet(): Promise<boolean> {
    utilization();
    await wait(lookMs);
    return utilization() < busyMin;
  }

  return {
    async turn(isFull) {
      const restMs = restUntilMs - now();
      if (!isFull && restMs > 0) await wait(restMs);
      behindSinceMs ??= now();
      while (!isStopping()) {
        if (now() - behindSinceMs >= patienceMs) return wait(impatientPauseMs);
        if (await isQuiet()) return;
      }
    },
    took(ms, isBehind) {
      restUntilMs = now() + Math.min(restShare * ms, restMsMax);
      if (!isBehind) behindSinceMs = null;
    },
  };
}

function threadUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    return utilization;
  };
}
