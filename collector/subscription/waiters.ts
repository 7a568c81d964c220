/** Callers that wait until every view has committed a position. */
import type { ProjectionProcessor } from './projection-processor.ts';

export interface Waiters {
  add(position: number): Promise<void>;
  areWaiting(): boolean;
  /**
   * Resolves those whose position is reached; rejects all when a projection has stopped, since they
   * would wait for ever.
   */
  settle(): void;
  reject(error: Error): void;
}

interface Waiter {
  readonly position: number;
  readonly promise: PromiseWithResolvers<void>;
}

export function createWaiters(processors: readonly ProjectionProcessor[]): Waiters {
  let waiters: Waiter[] = [];

  function reject(error: Error): void {
    const rejected = waiters;
    waiters = [];
    for (const { promise } of rejected) promise.reject(error);
  }

  return {
    add(position) {
      const promise = Promise.withResolvers<void>();
      waiters.push({ position, promise });
      return promise.promise;
    },
    areWaiting: () => waiters.length > 0,
    settle() {
      if (waiters.length === 0) return;
      const failure = processors
        .map((processor) => processor.failure())
        .find((each) => each !== null);
      if (failure !== undefined && failure !== null) return reject(failure);
      const reached = Math.min(
        ...processors.map((processor) => processor.live()?.committed() ?? -1),
      );
      for (const { position, promise } of waiters) if (position <= reached) promise.resolve();
      waiters = waiters.filter(({ position }) => position > reached);
    },
    reject,
  };
}
