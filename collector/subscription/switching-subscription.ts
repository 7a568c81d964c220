/**
 * The subscription of a process that leads at times: it folds while it leads, and otherwise reports
 * how far the leader is.
 *
 * Contract: as subscription.ts. `begin` starts with empty memory, so it reads what another process
 * has folded meanwhile; `end` commits what is folded, if the store still allows it, and resolves
 * when nothing is folded any more. Neither throws or rejects. A listener hears the commits of every
 * term.
 */
import { createCommitted } from './committed.ts';
import type { Subscription } from './subscription.ts';

export interface SwitchingSubscription extends Subscription {
  begin(): void;
  end(): Promise<void>;
}

export interface SwitchingSubscriptionOptions {
  /** A new one, which folds. */
  create(): Subscription;
  readonly idle: Subscription;
  onError(error: unknown): void;
}

export function createSwitchingSubscription(
  options: SwitchingSubscriptionOptions,
): SwitchingSubscription {
  const { create, idle, onError } = options;
  const committed = createCommitted(onError);
  let current = idle;

  async function end(): Promise<void> {
    const folding = current;
    current = idle;
    await folding.stop();
  }

  return {
    begin() {
      if (current === idle) {
        current = create();
        current.onCommitted(committed.tell);
      }
      current.wake();
    },
    end,
    catchUp: () => current.catchUp(),
    wake: () => current.wake(),
    rebuild: (projection) => current.rebuild(projection),
    atBarrier: (work) => current.atBarrier(work),
    onCommitted: committed.listen,
    state: () => current.state(),
    failure: () => current.failure(),
    stop: end,
  };
}
