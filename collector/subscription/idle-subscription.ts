/**
 * The subscription of a ledger that another process writes: it folds nothing, and reports how far
 * that process is.
 */
import { LedgerError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { Projection } from '../projections/projection.ts';
import type { ViewsReader } from '../views/views.ts';
import { setAsideShown } from './projection-state.ts';
import type { Subscription } from './subscription.ts';

export function createIdleSubscription({
  log,
  views,
  projections,
}: {
  log: Log;
  views: ViewsReader;
  projections: readonly Projection[];
}): Subscription {
  return {
    catchUp: async () => undefined,
    wake: () => undefined,
    rebuild: () => Promise.reject(new LedgerError('store_locked')),
    atBarrier: () => Promise.reject(new LedgerError('store_locked')),
    async state() {
      const head = await log.head();
      return Promise.all(
        projections.map(async (projection) => ({
          ...idle,
          projection: projection.name,
          position: await readPosition(views, projection),
          head,
          setAside: await views.setAside(projection, setAsideShown),
        })),
      );
    },
    onCommitted: () => () => undefined,
    failure: () => null,
    stop: async () => undefined,
  };
}

const idle = { rebuildPosition: null, isOutdated: false } as const;

async function readPosition(views: ViewsReader, projection: Projection): Promise<number> {
  return (await views.live(projection))?.checkpoint ?? 0;
}
