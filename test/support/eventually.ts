import { vi } from 'vitest';
import { waitMsMax } from './bounds.ts';

/** Asks until the check no longer throws; rejects with its last error after `waitMsMax`. */
export function eventually<T>(
  check: () => T | Promise<T>,
  { intervalMs = 50 }: { readonly intervalMs?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { timeout: waitMsMax, interval: intervalMs });
}
