/**
 * Waits until a running collector has recorded everything that hosts left in its spool, including
 * what is no record: attributions, samples.
 */
import { readdirSync } from 'node:fs';
import { expect, vi } from 'vitest';
import type { Ledger } from './ledger.ts';
import { arrivalMsMax } from './reconcile.ts';

export async function spoolIsRead({ spoolDirectory }: Ledger): Promise<void> {
  const segmentsLeft = () =>
    readdirSync(spoolDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ndjson'),
    );
  await vi.waitFor(() => expect(segmentsLeft()).toEqual([]), {
    timeout: arrivalMsMax,
    interval: 100,
  });
}
