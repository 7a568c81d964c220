/**
 * Offers dead letters again when the reason that they were refused for may have ended: all of them
 * when a collector begins to write (it may be a newer one, that knows their type), and those from
 * the future now and then (the clock may have been set right).
 *
 * Contract: only for whoever has the right to write. A failure is reported, and tried again. `stop`
 * resolves when nothing of it runs any more.
 */

import { repeatEvery } from '../timers/repeat.ts';
import type { Ingest } from './ingest.ts';

const everyMsDefault = 10 * 60 * 1000;

export interface DeadLetterRetryOptions {
  readonly ingest: Pick<Ingest, 'retryDeadLetters'>;
  readonly everyMs?: number;
  onError(error: unknown): void;
}

export function startDeadLetterRetry({
  ingest,
  everyMs = everyMsDefault,
  onError,
}: DeadLetterRetryOptions): { stop(): Promise<void> } {
  let isFirst = true;
  return repeatEvery(
    everyMs,
    async () => {
      await ingest.retryDeadLetters(isFirst ? 'all' : 'future');
      isFirst = false;
    },
    onError,
  );
}
