/**
 * The leadership of a running collector: it leads while it has the right to write its store, and is
 * on standby while another collector has it.
 *
 * Contract: the tasks start in order when it gains the right, and stop in the reverse order when it
 * loses it; the two never overlap. None starts once `stop` is called. A task that cannot start
 * stops those before it, and all are tried again after a pause; one that cannot stop keeps no other
 * from stopping. Either failure is reported. `stop` stops the tasks and resolves when nothing runs
 * any more; it never rejects.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteRight } from '../stores/store.ts';

/** Contract: `start` and `stop` alternate; `stop` resolves when the task does nothing any more. */
export interface LeaderTask {
  /** As a gerund: "folding". */
  readonly name: string;
  start(): void | Promise<void>;
  stop(): Promise<void>;
}

export interface LeadershipOptions {
  readonly right: WriteRight;
  readonly tasks: readonly LeaderTask[];
  readonly pollMs?: number;
  onError(error: unknown): void;
}

export interface Leadership {
  stop(): Promise<void>;
}

/** How soon a collector on standby notices that the right is free. */
const pollMsDefault = 1_000;

export function startLeadership({
  right,
  tasks,
  pollMs = pollMsDefault,
  onError,
}: LeadershipOptions): Leadership {
  const stopping = new AbortController();
  const { promise: stopped, resolve: onStop } = Promise.withResolvers<void>();
  stopping.signal.addEventListener('abort', () => onStop());

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const hasLed = (await tryToTake()) && !stopping.signal.aborted && (await lead());
      if (!hasLed) await pause();
    }
  }

  async function tryToTake(): Promise<boolean> {
    try {
      return await right.take();
    } catch (error) {
      onError(error);
      return false;
    }
  }

  /** False where a task could not start. */
  async function lead(): Promise<boolean> {
    const started: LeaderTask[] = [];
    try {
      for (const task of tasks) {
        if (stopping.signal.aborted) return true;
        started.push(task);
        await task.start();
      }
      await Promise.race([right.lost(), stopped]);
      return true;
    } catch (error) {
      onError(error);
      return false;
    } finally {
      for (const task of started.toReversed()) await task.stop().catch(onError);
    }
  }

  async function pause(): Promise<void> {
    const { signal } = stopping;
    await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined); // stopped
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
