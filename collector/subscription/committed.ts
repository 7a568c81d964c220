/** Tells others how far every view has committed the log. */
import type { ProjectionProcessor } from './projection-processor.ts';

/** Must not throw, and must not take long: the loop waits for it. */
export type CommittedListener = (position: number) => void;

export interface Committed {
  /** Hears the last position at once, where there is one. Answers what ends that. */
  listen(listener: CommittedListener): () => void;
  tell(position: number): void;
}

/** Positions that do not rise are not told. What a listener throws is reported. */
export function createCommitted(onError: (error: unknown) => void): Committed {
  const listeners = new Set<CommittedListener>();
  let last: number | null = null;

  function call(listener: CommittedListener, position: number): void {
    try {
      listener(position);
    } catch (error) {
      onError(error);
    }
  }

  return {
    listen(listener) {
      listeners.add(listener);
      if (last !== null) call(listener, last);
      return () => void listeners.delete(listener);
    },
    tell(position) {
      if (last !== null && position <= last) return;
      last = position;
      for (const listener of [...listeners]) call(listener, position);
    },
  };
}

/**
 * What every view has committed; null where one has no view yet. A projection that has stopped for
 * good keeps nobody waiting.
 */
export function committedByAll(processors: readonly ProjectionProcessor[]): number | null {
  const positions = processors
    .filter((processor) => processor.failure() === null)
    .map((processor) => processor.live()?.committed() ?? null);
  if (positions.length === 0) return null;
  return positions.reduce((least, position) =>
    least === null || position === null ? null : Math.min(least, position),
  );
}
