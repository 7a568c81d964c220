/**
 * The sessions that this process has seen. Those beyond `sessionsMax` are forgotten, least recently
 * used first, and resume from their marks when they return. One whose tools run is kept: they may
 * start more subagents than that.
 */
import type { SessionState } from './session-state.ts';

export interface KnownSessions {
  get(id: string): SessionState | undefined;
  /** Adds it, or notes that it was used just now. */
  use(state: SessionState): void;
  /** Least recently used first. */
  all(): readonly SessionState[];
}

const sessionsMax = 64;

export function createKnownSessions(): KnownSessions {
  const states = new Map<string, SessionState>();
  let newest: SessionState | null = null;
  return {
    get: (id) => states.get(id),
    use(state) {
      if (state === newest) return;
      newest = state;
      states.delete(state.id);
      states.set(state.id, state);
      if (states.size <= sessionsMax) return;
      const oldest = [...states.values()].find(({ runningTools }) => runningTools.size === 0);
      if (oldest !== undefined && oldest !== state) states.delete(oldest.id);
    },
    all: () => [...states.values()],
  };
}
