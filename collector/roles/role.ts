/**
 * A role: what a process of this program does with a store, as two lists. A read-only replica lists
 * fewer groups of routes, and no tasks.
 */
import type { RouteGroup } from '../http/route-group.ts';
import type { LeaderTask } from './leadership.ts';
import type { LedgerParts } from './parts.ts';
import type { WatchedSessions } from './session-watch.ts';

export interface Role {
  routes(parts: LedgerParts): readonly RouteGroup[];
  /** What runs while it leads; null: it never leads, and folds nothing. */
  readonly leaderTasks:
    | ((parts: LedgerParts, surroundings: Surroundings) => readonly LeaderTask[])
    | null;
  /** Begins what runs by other rules than those of one leader. Absent: nothing does. */
  begin?(): { stop(): Promise<void> };
}

/** Of a collector that listens. */
interface Surroundings {
  readonly url: string;
  /** Null: it imports no session files. */
  readonly sessions: WatchedSessions | null;
}
