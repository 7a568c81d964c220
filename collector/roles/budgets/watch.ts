/**
 * Watches the budgets while this process writes the ledger, and appends what has to be said.
 *
 * - It looks when views have committed something, and every minute, because periods end; once a
 *   second at most, and not again before ten times as long as the last look took, up to
 *   `restMsMax`.
 * - A look begins when the views have everything that the log had before: a sum of a part of the
 *   log misleads nobody, nor does a crossing that is appended and not yet folded.
 * - What fails is tried again, and reported once as long as it fails in the same way.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { repeatEvery } from '../../timers/repeat.ts';
import { within } from '../../timers/within.ts';

export interface BudgetWatchOptions {
  /** Resolves when the views have what the log has now. */
  catchUp(): Promise<void>;
  /** Calls the listener after commits; returns what ends that. */
  onCommitted(listener: () => void): () => void;
  look(): Promise<readonly LedgerEvent[]>;
  /** Resolves when they are durable. */
  append(events: readonly LedgerEvent[]): Promise<void>;
  onError(error: unknown): void;
  readonly lookEveryMs?: number;
}

const lookEveryMsDefault = 1_000;
const dueMs = 60_000;
const restMsMax = 5_000;
const restPart = 10;
/** Stopping waits no longer for views. */
const waitMs = 500;

export function startBudgetWatch(options: BudgetWatchOptions): { stop(): Promise<void> } {
  const { lookEveryMs = lookEveryMsDefault, onError } = options;
  let isDirty = true;
  let waiting: Promise<void> | null = null;
  let restUntilMs = 0;
  let lastMs = 0;
  let failure: string | null = null;

  async function run(): Promise<void> {
    const nowMs = performance.now();
    const isDue = isDirty || waiting !== null || nowMs >= lastMs + dueMs;
    if (!isDue || nowMs < restUntilMs) return;
    try {
      if (!(await isCaughtUp())) return;
      lastMs = performance.now();
      const events = await options.look();
      if (events.length > 0) await options.append(events);
      const tookMs = performance.now() - lastMs;
      restUntilMs = performance.now() + Math.min(restMsMax, restPart * tookMs);
      failure = null;
    } catch (error) {
      isDirty = true;
      report(error);
    }
  }

  /** A wait that is not over goes on: it ends however much is appended meanwhile. */
  async function isCaughtUp(): Promise<boolean> {
    if (waiting === null) {
      isDirty = false;
      waiting = options.catchUp();
    }
    try {
      if ((await within(waitMs, waiting)) === 'timeout') return false;
      waiting = null;
      return true;
    } catch (error) {
      waiting = null;
      throw error;
    }
  }

  function report(error: unknown): void {
    const text = String(error);
    if (text !== failure) onError(error);
    failure = text;
  }

  const unsubscribe = options.onCommitted(() => {
    isDirty = true;
  });
  const loop = repeatEvery(lookEveryMs, run, onError);
  return {
    async stop() {
      unsubscribe();
      await loop.stop();
      waiting?.catch(() => undefined); // nobody waits any more
    },
  };
}
