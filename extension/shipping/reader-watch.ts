/**
 * Tells a shipper that waits that a collector has begun to read this spool: its lease is there. So
 * what was recorded while no collector ran arrives a few seconds after one starts, and not only
 * when the backoff is over.
 *
 * Looks at one small file now and then, and only while the shipper waits. A collector that was
 * there when the wait began is no news: it was tried.
 */
import type { Clock } from '../clock.ts';
import { freshReader } from '../spool/lease.ts';

export const readerLookMs = 2_000;

export interface ReaderWatch {
  /**
   * Calls back once, when a collector comes; the answer ends the watch. Contract: never throws; at
   * most one unref'd timer.
   */
  begin(onReader: () => void): () => void;
}

export function createReaderWatch(options: {
  readonly spoolDirectory: string;
  readonly clock: Clock;
}): ReaderWatch {
  const { spoolDirectory, clock } = options;
  const look = () => freshReader(spoolDirectory, clock.nowMs());
  return {
    begin(onReader) {
      let known = look();
      let disarm: (() => void) | null = null;
      const arm = () => {
        disarm = clock.after(readerLookMs, () => {
          const reader = look();
          if (reader !== null && reader !== known) return onReader();
          known = reader;
          arm();
        });
      };
      arm();
      return () => disarm?.();
    },
  };
}
