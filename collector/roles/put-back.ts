/**
 * Counters of a store that was put back to an earlier state (a backup) are lower than they were
 * shown to be. What was shown is then forgotten: they begin as new series, and none falls.
 */
import type { Counters } from '@pi-ledger/contract/telemetry/counters';
import { metricsReaders } from '../exporters/metrics/readers.ts';
import type { Store } from '../stores/store.ts';
import type { SubscriberMarks } from '../subscription/subscriber-processor.ts';

/** Names the newest event that counters have been read with, beside what subscribers note. */
const mark = 'counters';

export interface PutBackOptions {
  readonly store: Pick<Store, 'log' | 'checkpoints' | 'right'>;
  readonly marks: SubscriberMarks;
  /** A line for the log. Must not throw. */
  note(message: string): void;
}

export interface PutBack {
  /** Before metrics are shown, and before the log grows. Rejects when the store fails. */
  look(): Promise<void>;
  /** The same counters; notes with which event they are read. */
  noting(counters: Counters): Counters;
}

export function createPutBack(options: PutBackOptions): PutBack {
  const { store, marks } = options;
  let isSure = false;
  return {
    async look() {
      if (isSure || !store.right.isHeld()) return;
      await forgetIfPutBack(options);
      isSure = true;
    },
    noting: (counters) => ({
      async read() {
        const reading = await counters.read();
        if (store.right.isHeld()) marks.note(mark, await store.log.head());
        return reading;
      },
    }),
  };
}

async function forgetIfPutBack({ store, marks, note }: PutBackOptions): Promise<void> {
  const head = await store.log.head();
  const before = marks.of(mark);
  if (before === null || before <= head) return;
  for (const reader of metricsReaders) await store.checkpoints.drop(reader);
  note(
    `The store was put back to an earlier state: metrics were shown up to event ${before}, and ` +
      `it ends with ${head}. They begin as new series.`,
  );
}
