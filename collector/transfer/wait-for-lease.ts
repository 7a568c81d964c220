/**
 * The right to write a store, for a command. The lease of a process that was killed lasts for some
 * seconds more, and the command that is begun again must not take that for a collector.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteRight } from '../stores/store.ts';

/** Longer than a lease lasts. */
export const leaseWaitMsMax = 20_000;
const pollMs = 250;

/** Whether it is held, at the latest after `waitMsMax`. Rejects when the store fails. */
export async function takeRight(right: WriteRight, waitMsMax: number): Promise<boolean> {
  const untilMs = performance.now() + waitMsMax;
  while (!(await right.take())) {
    if (performance.now() > untilMs) return false;
    await sleep(pollMs);
  }
  return true;
}
