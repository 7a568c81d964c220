/**
 * Retries dead letters when their reason may be gone: all of them when a collector becomes leader
 * (a newer version may know their type), and those from the future every ten minutes (the clock may
 * have been corrected).
 *
 * Contract: only the leader runs it. A failure is reported and tried again. `stop` resolves when
 * nothing of it runs any more.
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
