/**
 * Records backlogs in slices, off the host's path. If summary texts are sent, waits until they can
 * be redacted.
 */
import type { Contents } from '../../core/content/contents.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import type { Spool } from '../../core/spool/spool.ts';
import { appendSlice } from './backlog.ts';
import type { RecorderClock } from './clock.ts';
import type { SessionState } from './session-state.ts';

export interface Drain {
  /** Starts soon, unless it already runs or there is nothing to do. Contract: never throws. */
  soon(state: SessionState): void;
  /** Holds up the end of a session for as much as fits into a short time. */
  atEnd(state: SessionState): void;
}

export interface DrainOptions {
  readonly append: Spool['append'];
  readonly clock: RecorderClock;
  readonly contents: Contents | null;
  onAppended(state: SessionState, drafts: readonly EventDraft[]): void;
  /** An entry could not be recorded. */
  onFailure(): void;
}

/** How long the end of a session may be delayed by entries waiting in the backlog. */
const atEndMsMax = 50;

export function createDrain({
  append,
  clock,
  contents,
  onAppended,
  onFailure,
}: DrainOptions): Drain {
  const running = new Set<SessionState>();

  function whenReady(callback: () => void): void {
    if (contents === null || contents.isReady()) clock.soon(callback);
    else contents.whenReady(() => clock.soon(callback));
  }

  /** Records one slice. False when there is no point in continuing. */
  function drain(state: SessionState): boolean {
    const drafts = appendSlice(state, append, onFailure);
    if (drafts !== null && drafts.length > 0) onAppended(state, drafts);
    return drafts !== null;
  }

  function soon(state: SessionState): void {
    if (state.backlog.length === 0 || running.has(state)) return;
    running.add(state);
    whenReady(() => {
      running.delete(state);
      try {
        if (drain(state)) soon(state);
      } catch {
        onFailure(); // a throw in a timer would end the host
      }
    });
  }

  return {
    soon,
    atEnd(state) {
      const untilMs = clock.monotonicMs() + atEndMsMax;
      while (!state.wasRefused && clock.monotonicMs() < untilMs && drain(state));
    },
  };
}
