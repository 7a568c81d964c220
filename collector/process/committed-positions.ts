/**
 * How far every view has committed, for listeners in a process that folds and in one that does not:
 * there it is looked at every second.
 */
import type { Subscription } from '../subscription/subscription.ts';
import { repeatEvery } from '../timers/repeat.ts';

export interface CommittedPositionsOptions {
  readonly subscription: Pick<Subscription, 'state' | 'onCommitted'>;
  /** Whether this process folds. */
  isWriter(): boolean;
  onError(error: unknown): void;
}

const lookEveryMs = 1_000;

/** Calls the listener with positions, soon with the first one. Returns what ends that. */
export function createCommittedPositions(options: CommittedPositionsOptions) {
  const { subscription, isWriter, onError } = options;
  return (listener: (position: number) => void): (() => void) => {
    let isOver = false;
    const unsubscribe = subscription.onCommitted(listener);
    const looking = repeatEvery(
      lookEveryMs,
      async () => {
        if (isWriter()) return;
        const positions = (await subscription.state()).map(({ position }) => position);
        if (!isOver && positions.length > 0) listener(Math.min(...positions));
      },
      onError,
    );
    return () => {
      isOver = true;
      unsubscribe();
      void looking.stop();
    };
  };
}
