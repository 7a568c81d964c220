/**
 * How views follow the log, as everybody else sees it. One process folds (folding-subscription.ts);
 * the others say how far it has come (idle-subscription.ts).
 */
import type { SetAsideList } from '../views/views.ts';
import type { BarrierWork } from './barrier.ts';
import type { CommittedListener } from './committed.ts';

export interface Rebuilt {
  readonly events: number;
  readonly durationMs: number;
}

export interface ProjectionState {
  readonly projection: string;
  /** Folded and committed, in the view that queries see. */
  readonly position: number;
  readonly head: number;
  /** How far a rebuild has come; null when there is none. */
  readonly rebuildPosition: number | null;
  /** Events that the view was committed without, because they cannot be folded. */
  readonly setAside: SetAsideList;
}

/** Of what is set aside, so many are named in a state; the others are counted. */
export const setAsideShown = 10;

export interface Subscription {
  /**
   * Resolves when the log's head as of now is committed in every projection. Rejects with the
   * store's error when a read or commit fails meanwhile (it is tried again all the same), and when
   * a projection or the subscription has stopped.
   */
  catchUp(): Promise<void>;
  /** There is something new in the log. Never throws, never blocks; call it after each append. */
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
   * Calls `mark`, which appends an event and says where it stands, and then `work`, while every
   * view stands exactly there: with all before it and it, and nothing after. Rejects as `catchUp`
   * does, and with what the two throw. One at a time.
   */
  atBarrier<Result>(work: BarrierWork<Result>): Promise<Result>;
  /**
   * Calls the listener with each position that every view has committed, in rising order, and at
   * once with the last one, where there is one. Answers what ends that.
   */
  onCommitted(listener: CommittedListener): () => void;
  /** Commits what is folded and ends the loop. Never rejects. */
  stop(): Promise<void>;
}
