/**
 * Listens to the requests of this process from the beginning of its first session on, and loads
 * what counts them (package-requests.ts) with the first of them, or with the first entry that may
 * explain one.
 */
import type { WatchRequests } from '../host/request-channel.ts';
import type { RecorderClock } from './clock.ts';
import type { HookCall, SeenEntry } from './hook-call.ts';
import { createPackageRequests, type PackageRequests } from './package-requests.ts';
import type { SessionState } from './session-state.ts';

export interface RequestWatch extends Omit<PackageRequests, 'sent' | 'answered'> {
  /** Listens, unless it does already. */
  begin(): void;
  /** Listens no more, once all sessions are over. */
  end(): void;
}

/**
 * `watch`: null where nothing tells of requests. `sessions`: of this process, least recently used
 * first.
 */
export function watchPackageRequests(
  watch: WatchRequests | null,
  clock: RecorderClock,
  sessions: () => readonly SessionState[],
  onFailure: () => void,
): RequestWatch {
  let made: PackageRequests | null = null;
  let stop: (() => void) | null = null;
  function requests(): PackageRequests {
    made ??= createPackageRequests(clock, sessions);
    return made;
  }
  return {
    begin() {
      stop ??=
        watch?.({
          sent: (origin) => requests().sent(origin),
          answered: (request) => requests().answered(request),
          failed: onFailure,
        }) ?? null;
    },
    end() {
      if (sessions().some(({ isOver }) => !isOver)) return;
      stop?.();
      stop = null;
    },
    startSummary: (state) => requests().startSummary(state),
    abandonSummary(call) {
      if (call.state.summarySinceMs !== null) requests().abandonSummary(call);
    },
    explain(call: HookCall, seen: readonly SeenEntry[]) {
      if (!seen.every(explainsNothing)) requests().explain(call, seen);
    },
    forgetPrivate: () => made?.forgetPrivate(),
    say: (call) => made?.say(call),
  };
}

/** Entries at the top of a session: no request of the host is behind them. */
function explainsNothing({ entry: { type } }: SeenEntry): boolean {
  return type === 'model_change' || type === 'thinking_level_change';
}
