/** The host's footer while a session's recording is paused. */
import { hasUi, readMode, setStatus } from './host.ts';

export interface PauseStatus {
  /** `isFresh`: the host may have cleared its footer. Contract: never throws. */
  show(ctx: unknown, isPaused: boolean, isFresh: boolean): void;
}

/** In the footer of a terminal, as long as a session is paused. */
export function createPauseStatus(fallbackMode: string): PauseStatus {
  let isShown = false;
  return {
    show(ctx, paused, isFresh) {
      if ((paused === isShown && !(isFresh && paused)) || hasUi(ctx) !== true) return;
      if ((readMode(ctx) ?? fallbackMode) !== 'tui') return;
      setStatus(ctx, 'pi-ledger-pause', paused ? 'ledger paused' : null);
      isShown = paused;
    },
  };
}
