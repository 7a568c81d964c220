/** A pause that can be cut short. It keeps no process alive. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Rest {
  /** Never rejects. */
  pause(ms: number): Promise<void>;
  /** Ends the pause there is; none that begins later. */
  end(): void;
}

export function createRest(): Rest {
  let resting: AbortController | null = null;
  return {
    async pause(ms) {
      resting = new AbortController();
      const { signal } = resting;
      await delay(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      resting = null;
    },
    end() {
      resting?.abort();
    },
  };
}
