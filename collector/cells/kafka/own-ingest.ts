/**
 * The ingest of a worker with several cells, for what it is asked for itself: labels, and dead
 * letters that are tried again. Their events may belong to any cell, so they go through Kafka, as
 * all others do. Dead letters are those of all cells.
 */

import { createIngest, type Ingest } from '../../ingest/ingest.ts';
import type { Forwarding } from '../../ingest/kafka/forwarding.ts';
import type { Log } from '../../log/log.ts';

export interface OwnIngestOptions {
  /** It reads the log of all cells. */
  readonly log: Log;
  readonly forwarding: Pick<Forwarding, 'append'>;
  readonly now: () => number;
}

export function createOwnIngest({ log, forwarding, now }: OwnIngestOptions): Ingest {
  return createIngest({
    log: {
      ...log,
      append: forwarding.append,
      // Whoever appends them looks whose they are.
      owners: async () => [],
    },
    now,
    onAppended: () => undefined,
  });
}
