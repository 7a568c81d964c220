import type { SetAsideList } from '../views/views.ts';

export interface Rebuilt {
  readonly events: number;
  readonly durationMs: number;
}

export interface ProjectionState {
  readonly projection: string;
  /** Folded and committed, in the view that queries see. */
  readonly position: number;
  readonly head: number;
  /** The position of a rebuild; null when there is none. */
  readonly rebuildPosition: number | null;
  /** The view that queries see was folded with other rules or withdrawals than are in force. */
  readonly isOutdated: boolean;
  /** Events that the view lacks because they cannot be folded. */
  readonly setAside: SetAsideList;
}

/** A state names so many of the events that are set aside; the others are counted. */
export const setAsideShown = 10;
