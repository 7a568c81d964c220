/**
 * The subscription of a process that may write its store at times: it folds while it may, and else
 * says how far the one that writes has come.
 *
 * Contract: as subscription.ts. `begin` starts with empty memory, so what another process has
 * folded meanwhile is read; `rest` commits what is folded, as far as the store lets it, and
 * resolves when nothing is folded any more. Neither throws, nor rejects.
 */
import type { Subscription } from './subscription.ts';

export interface SwitchingSubscription extends Subscription {
  begin(): void;
  rest(): Promise<void>;
}

export function createSwitchingSubscription({
  create,
  idle,
}: {
  /** A new one that folds. */
  create(): Subscription;
  readonly idle: Subscription;
}): SwitchingSubscription {
  let current = idle;

  async function rest(): Promise<void> {
    const folding = current;
    current = idle;
    await folding.stop();
  }

  return {
    begin() {
      if (current === idle) current = create();
      current.wake();
    },
    rest,
    catchUp: () => current.catchUp(),
    wake: () => current.wake(),
    rebuild: (projection) => current.rebuild(projection),
    hold: (hold) => current.hold(hold),
    state: () => current.state(),
    failure: () => current.failure(),
    stop: rest,
  };
}
