/** A delay that can be cut short. It keeps no process alive. */
import { setTimeout as delay } from 'node:timers/promises';

export interface InterruptibleDelay {
  /** One at a time. Never rejects. */
  wait(ms: number): Promise<void>;
  /** Ends the delay there is; none that begins later. */
  interrupt(): void;
}

export function createInterruptibleDelay(): InterruptibleDelay {
  let waiting: AbortController | null = null;
  return {
    async wait(ms) {
      waiting = new AbortController();
      const { signal } = waiting;
      await delay(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      waiting = null;
    },
    interrupt() {
      waiting?.abort();
    },
  };
}
