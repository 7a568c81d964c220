/**
 * A ledger of several cells for those who ask it: the parts of its cells, read as those of one.
 * What is written by whoever asks (labels, retried dead letters) goes through Kafka to its cell.
 */

import type { Forwarding } from '../ingest/kafka/forwarding.ts';
import { createIntake } from '../ingest/kafka/intake.ts';
import { createMetricsReading } from '../roles/metrics.ts';
import { type LedgerParts, settleMsMax } from '../roles/parts.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { Store } from '../stores/store.ts';
import { within } from '../timers/within.ts';
import type { CellErrands } from './cell-errands.ts';
import { joinHealth } from './joined-health.ts';
import { joinLive } from './joined-live.ts';
import { joinSealers } from './joined-sealer.ts';
import { joinStanding } from './joined-standing.ts';
import { joinSubscriptions } from './joined-subscription.ts';
import { createOwnIngest } from './kafka/own-ingest.ts';
import { joinLogs } from './log/joined-log.ts';

export interface JoinedCell {
  readonly parts: LedgerParts;
  readonly errands: CellErrands;
}

/** `joined`: by number. */
export function joinParts(joined: readonly JoinedCell[], forwarding: Forwarding): LedgerParts {
  const cells = joined.map(({ parts }) => parts);
  const [first] = cells;
  if (first === undefined) throw new Error('A ledger has a cell at least.');
  const store = joinStores(cells);
  const intake = createIntake();
  const subscription = joinSubscriptions(
    joined.map(({ parts: { subscription, live }, errands }) => ({
      subscription,
      rebuild: (projection) => errands.ask('rebuild', { projection }),
      follow: live.follow,
    })),
  );
  return {
    ...first,
    cell: { ...first.cell, count: joined.length },
    store,
    subscription: { ...subscription, begin: () => undefined, end: async () => undefined },
    metricsSending: null,
    ingest: createOwnIngest({ log: store.log, forwarding, now: first.now }),
    sealer: joinSealers(joined.map(sealedByLeader)),
    intake,
    readHealth: joinHealth(cells, intake),
    readStanding: joinStanding(cells.map(({ readStanding }) => readStanding)),
    readMetrics: createMetricsReading(cells),
    live: joinLive(cells.map(({ live }) => live)),
    async settleViews() {
      await within(settleMsMax, subscription.catchUp()).catch(() => undefined);
    },
  };
}

function sealedByLeader({ parts: { sealer }, errands }: JoinedCell): Sealer {
  return {
    ...sealer,
    async seal({ floorMs, dryRun = false }) {
      return dryRun ? sealer.seal({ floorMs, dryRun }) : errands.ask('seal', { floorMs });
    },
    resume: () => errands.ask('resume', {}),
  };
}

/** Written cell by cell; tokens and checkpoints are the first one's. */
function joinStores(cells: readonly LedgerParts[]): Store {
  const stores = cells.map(({ store }) => store);
  const [first] = cells;
  if (first === undefined) throw new Error('A ledger has a cell at least.');
  const notOfAll = () => Promise.reject(new Error('Views are written cell by cell.'));
  return {
    ...first.store,
    log: joinLogs(stores.map(({ log }) => log)),
    views: {
      ...first.cell.views,
      ...{ begin: notOfAll, load: notOfAll, commit: notOfAll, promote: notOfAll },
      close: async () => undefined,
    },
    trouble: () => stores.map((each) => each.trouble()).find((why) => why !== null) ?? null,
    async close() {
      for (const each of stores) await each.close();
    },
  };
}
