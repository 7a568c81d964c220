/**
 * Seals by itself what is older than so many days, once a day. Off unless the configuration says otherwise. Never beyond the day of the newest event: a
 * floor is for ever, and a clock that runs ahead by years would have everything refused that comes in after it.
 *
 * Contract: a failure is reported, and tried again with the next look. `stop` resolves when nothing of it runs any more. A seal that a dead process has left
 * unfinished is finished first, whatever the configuration says.
 */
import { repeatEvery } from '../repeat.ts';
import type { Sealer } from './sealer.ts';

export interface RetentionOptions {
  readonly sealer: Sealer;
  /** Null: nothing is ever sealed. */
  readonly retentionDays: number | null;
  readonly now: () => number;
  /** Time of the newest event that came from a producer; null: none ever did. */
  newestMs(): Promise<number | null>;
  onError(error: unknown): void;
}

const lookEveryMs = 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { sealer, retentionDays, now, newestMs, onError } = options;
  let isResumed = false;
  return repeatEvery(
    lookEveryMs,
    async () => {
      if (!isResumed) await sealer.resume();
      isResumed = true;
      if (retentionDays !== null) await sealUpTo(sealer, Math.min(floorOf(now(), retentionDays), floorOf((await newestMs()) ?? 0, 0)));
    },
    onError,
  );
}

async function sealUpTo(sealer: Sealer, floorMs: number): Promise<void> {
  const seal = await sealer.inForce();
  if (floorMs > (seal?.floorMs ?? 0)) await sealer.seal({ floorMs });
}

/** Midnight, UTC. */
export function floorOf(nowMs: number, retentionDays: number): number {
  return (Math.floor(nowMs / dayMs) - retentionDays) * dayMs;
}
