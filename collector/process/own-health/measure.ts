/** Measures what a collector does. Without a recorder nothing is wrapped, and nothing costs. */
import type { Ack } from '@pi-ledger/contract';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Store } from '../../stores/store.ts';

export type StoreOperation = 'append' | 'commit' | 'read';

/** Contract: returns at once and never throws. */
export interface HealthRecorder {
  storeTook(operation: StoreOperation, ms: number): void;
  batchCame(): void;
  /** `ack` is null when the store refused the batch. */
  batchWent(ms: number, ack: Ack | null): void;
}

export function measuredStore(store: Store, { storeTook }: HealthRecorder): Store {
  async function timed<Result>(
    operation: StoreOperation,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      storeTook(operation, performance.now() - startedMs);
    }
  }
  const { log, views } = store;
  return {
    ...store,
    log: {
      ...log,
      append: (batch) => timed('append', () => log.append(batch)),
      read: (...where) => timed('read', () => log.read(...where)),
    },
    views: {
      ...views,
      commit: (...what) => timed('commit', () => views.commit(...what)),
    },
  };
}

export function measuredIngest<Taking extends Pick<Ingest, 'accept'>>(
  ingest: Taking,
  { batchCame, batchWent }: HealthRecorder,
): Taking {
  return {
    ...ingest,
    async accept(...offered) {
      const startedMs = performance.now();
      let ack: Ack | null = null;
      batchCame();
      try {
        ack = await ingest.accept(...offered);
        return ack;
      } finally {
        batchWent(performance.now() - startedMs, ack);
      }
    },
  };
}
