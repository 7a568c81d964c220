/**
 * Notifies a waiting shipper when a collector starts to read this spool, as its lease shows. So
 * events recorded while no collector ran arrive a few seconds after one starts, not only after the
 * backoff.
 *
 * Reads one small file periodically, only while the shipper waits. A collector that was there when
 * the wait began is ignored: it was already tried.
 */
import { freshReader } from '../../core/spool/lease.ts';
import type { Clock } from '../clock.ts';

export const readerLookMs = 2_000;

export interface ReaderWatch {
  /**
   * Calls back once, when a collector starts; the returned function ends the watch. Contract: never
   * throws; at most one unref'd timer.
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
