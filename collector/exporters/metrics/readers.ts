/**
 * The two ways in which metrics leave, each with a checkpoint of its own: what one has been shown,
 * the other has not.
 */
import { type Cycle, type CycleOptions, readAsShown, runCycle } from './cycle.ts';
import type { Exposition } from './exposition.ts';

const pushed = 'metrics pushed';
const scraped = 'metrics scraped';
/** Names of the checkpoints. */
export const metricsReaders = [pushed, scraped] as const;

export type ReaderOptions = Omit<CycleOptions, 'reader'>;

/** Sends: it knows what has arrived. */
export interface PushReader {
  /** As `runCycle`. */
  next(): Promise<Cycle | null>;
  /** All of this cycle has arrived. */
  arrived(cycle: Cycle): void;
}

export function createPushReader(options: ReaderOptions): PushReader {
  let arrivedRevision = 0;
  const zeros = {
    sinceMs: 0,
    isSeen: (_sinceMs: number, revision: number) => revision === arrivedRevision,
  };
  return {
    next: () => runCycle({ ...options, reader: pushed }, zeros),
    arrived(cycle) {
      arrivedRevision = cycle.revision;
    },
  };
}

/** Answers whoever asks, and does not know who that is. */
export interface ScrapeReader {
  /** As `runCycle`. */
  next(): Promise<Exposition | null>;
  /** As `readAsShown`. */
  asShown(): Promise<Exposition | null>;
}

/**
 * So long a zero is shown to everybody who asks: longer than the minute after which Prometheus asks
 * again, so that neither of two servers is shown a series without it.
 */
const zeroShownMs = 65_000;
/** Times in the state are rounded up to this, so that they are few. */
const roundingMs = 5_000;

export function createScrapeReader(options: ReaderOptions): ScrapeReader {
  const all = { ...options, reader: scraped };
  return {
    async next() {
      const nowMs = options.now();
      const cycle = await runCycle(all, {
        sinceMs: Math.ceil(nowMs / roundingMs) * roundingMs,
        isSeen: (sinceMs) => nowMs - sinceMs >= zeroShownMs,
      });
      return cycle?.exposition ?? null;
    },
    asShown: () => readAsShown(all),
  };
}
