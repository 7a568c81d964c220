/**
 * Waits until a running collector has recorded everything that hosts left in its spool, including
 * what is no record: attributions, samples.
 */
import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import type { Ledger } from './ledger.ts';

export async function spoolIsRead({ spoolDirectory }: Ledger): Promise<void> {
  const segmentsLeft = () =>
    readdirSync(spoolDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ndjson'),
    );
  await eventually(() => expect(segmentsLeft()).toEqual([]), { intervalMs: 100 });
}
