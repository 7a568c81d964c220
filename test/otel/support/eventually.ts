import { vi } from 'vitest';

/** Asks until the check no longer throws; rejects with its last error after a minute. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 100 });
}
