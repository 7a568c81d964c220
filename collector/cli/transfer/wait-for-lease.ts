/**
 * Gets the right to write a store for a command. The lease of a killed process lasts for some
 * seconds, and a command that is run again must not take it for a running collector's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreLease } from '../../stores/driver.ts';
import type { WriteRight } from '../../stores/store.ts';

const pollMs = 250;

/**
 * Whether this process has the right, at the latest when a dead process' lease has ended; without
 * leases (null), at once. Rejects when the store fails.
 */
export async function waitForLease(right: WriteRight, lease: StoreLease | null): Promise<boolean> {
  const untilMs = performance.now() + (lease?.msMax ?? 0);
  while (!(await right.take())) {
    if (performance.now() > untilMs) return false;
    await sleep(pollMs);
  }
  return true;
}
