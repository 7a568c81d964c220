/** Announces how far every view has committed the log. */
import type { ProjectionProcessor } from './projection-processor.ts';

/** Must not throw, and must not take long: the loop waits for it. */
export type CommittedListener = (position: number) => void;

export interface Committed {
  /** Calls it with the last position at once, if there is one. Returns what unsubscribes it. */
  listen(listener: CommittedListener): () => void;
  tell(position: number): void;
}

/** A position that does not rise is not announced. What a listener throws is reported. */
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
 * The position up to which every view has committed; null where a projection has no view yet. One
 * that has stopped for good is left out.
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
