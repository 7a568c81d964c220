/**
 * Seals history older than a number of days, once a day. Off by default. The days are counted back
 * from the newest day that the log itself confirms (log-time.ts), never from a later one by the
 * clock: a floor is permanent, and a clock years ahead would delete all history and refuse
 * everything received afterwards. When clock and log disagree, nothing is sealed, and that is
 * reported.
 *
 * Contract: a failure is reported, and retried at the next check. `stop` resolves when nothing is
 * running any more. What a seal has left undeleted is deleted first, whatever the configuration: a
 * process died, or other cells were not ready.
 */
import { dayMs } from '@pi-ledger/core/time/units';
import { repeatEvery } from '../timers/repeat.ts';
import { findDisagreement, type LogTime } from './log-time.ts';
import type { Sealer } from './sealer.ts';

export interface RetentionOptions {
  readonly sealer: Sealer;
  /** Nothing is ever sealed when it is null. */
  readonly retentionDays: number | null;
  readonly now: () => number;
  readLogTime(): Promise<LogTime>;
  onError(error: unknown): void;
}

const lookEveryMs = 60 * 60 * 1000;

export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { sealer, retentionDays, now, readLogTime, onError } = options;
  return repeatEvery(
    lookEveryMs,
    async () => {
      await sealer.resume();
      if (retentionDays === null) return;
      const logTime = await readLogTime();
      const disagreement = findDisagreement(logTime, now());
      if (disagreement !== null) throw new Error(`History was not sealed. ${disagreement}`);
      await sealUpTo(sealer, retentionFloor(latestMs(logTime, now()), retentionDays));
    },
    onError,
  );
}

async function sealUpTo(sealer: Sealer, floorMs: number): Promise<void> {
  const seal = await sealer.inForce();
  if (floorMs > (seal?.floorMs ?? 0)) await sealer.seal({ floorMs });
}

/** The earliest of clock, newest event and days of work. */
function latestMs({ newestMs, confirmedMs }: LogTime, nowMs: number): number {
  return Math.min(nowMs, newestMs ?? 0, confirmedMs ?? 0);
}

/** Midnight, UTC. */
export function retentionFloor(nowMs: number, retentionDays: number): number {
  return (Math.floor(nowMs / dayMs) - retentionDays) * dayMs;
}
