/**
 * How views follow the log, as the rest of the collector sees it. One process folds
 * (folding-subscription.ts); the others report how far it is (idle-subscription.ts).
 */
import type { BarrierWork } from './barrier.ts';
import type { CommittedListener } from './committed.ts';
import type { ProjectionState, Rebuilt } from './projection-state.ts';

export interface Subscription {
  /**
   * Resolves when the log's head as of now is committed in every projection. Rejects with the
   * store's error when a read or commit fails meanwhile (it is tried again all the same), and when
   * a projection or the subscription has stopped.
   */
  catchUp(): Promise<void>;
  /** Something was appended to the log. Never throws or blocks; call it after each append. */
  wake(): void;
  /**
   * Folds a projection anew beside its view and swaps them. Rejects as `catchUp` does; after a
   * store error it goes on all the same.
   */
  rebuild(projectionName: string): Promise<Rebuilt>;
  state(): Promise<readonly ProjectionState[]>;
  /**
   * Why the views do not advance: the store's error while it is tried again, or a projection that
   * stopped for good.
   */
  failure(): Error | null;
  /**
   * Calls `mark`, which appends an event and returns its position, and then `work` while every view
   * is exactly at that position: the event and all before it are folded, nothing after it. Rejects
   * as `catchUp` does, and with what the two throw. One at a time.
   */
  atBarrier<Result>(work: BarrierWork<Result>): Promise<Result>;
  /**
   * Calls the listener with each position up to which every view has committed, in rising order,
   * and at once with the last one, if there is one. Returns what unsubscribes it.
   */
  onCommitted(listener: CommittedListener): () => void;
  /** Commits what is folded and stops the loop. Never rejects. */
  stop(): Promise<void>;
}
