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

/** Only a collector that listens has these. */
interface Surroundings {
  readonly url: string;
  /** It is null when the collector imports no session files. */
  readonly sessions: WatchedSessions | null;
}
