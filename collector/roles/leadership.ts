/**
 * The role of a running collector: `active` while it has the right to write its store, `standby`
 * while another one has it.
 *
 * Contract: `enter` and `leave` alternate and never overlap; either may reject, which is reported
 * and ends the other's turn all the same. `stop` leaves, if it was entered, and resolves when
 * nothing of this runs any more; it never rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteRight } from '../stores/store.ts';

export type Role = 'active' | 'standby';

export interface RoleOptions {
  readonly right: WriteRight;
  /** It has the right to write: begin. */
  enter(): void | Promise<void>;
  /** It has it no more: end all that writes. */
  leave(): Promise<void>;
  readonly pollMs?: number;
  onError(error: unknown): void;
}

/** How soon a collector that stands by finds out that the right is free. */
const pollMsDefault = 1_000;

export function startRole({ right, enter, leave, pollMs = pollMsDefault, onError }: RoleOptions): {
  role(): Role;
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { promise: stopped, resolve: onStop } = Promise.withResolvers<void>();
  stopping.signal.addEventListener('abort', () => onStop());

  async function tryToTake(): Promise<boolean> {
    try {
      return await right.take();
    } catch (error) {
      onError(error);
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await tryToTake()) await hold();
      else
        await sleep(pollMs, undefined, { signal: stopping.signal, ref: false }).catch(
          () => undefined,
        ); // it was told to stop
    }
  }

  async function hold(): Promise<void> {
    try {
      await enter();
      await Promise.race([right.lost(), stopped]);
    } catch (error) {
      onError(error);
    }
    await leave().catch(onError);
  }

  const running = run();
  return {
    role: () => (right.isHeld() ? 'active' : 'standby'),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
