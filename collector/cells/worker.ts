/**
 * The role `worker` for a ledger of several cells: it leads those that Kafka gives it, and answers
 * for all of them. Each cell is written as a ledger of one cell is; what is of all sessions
 * together (budgets, dead letters) is the business of whoever leads the first.
 */

import type { Forwarding } from '../ingest/kafka/forwarding.ts';
import type { Kafka } from '../ingest/kafka/kafka.ts';
import { topicsOf } from '../ingest/kafka/records.ts';
import {
  budgetWatch,
  deadLetterRetry,
  feeding,
  folding,
  noticingPutBack,
  retention,
} from '../roles/leader-tasks.ts';
import type { LeaderTask } from '../roles/leadership.ts';
import type { LedgerParts } from '../roles/parts.ts';
import type { Role } from '../roles/role.ts';
import { startTakingIn } from '../roles/taking-in.ts';
import { worker } from '../roles/worker.ts';
import type { CellStore } from '../stores/store.ts';
import { createCellLeads } from './cell-leads.ts';
import type { JoinedCell } from './joined-parts.ts';
import { checkPartitions } from './kafka/check-partitions.ts';
import { createCourt, createSettling } from './kafka/claims.ts';

export interface CellsWorkerOptions {
  /** By number. */
  readonly cells: readonly (JoinedCell & { readonly store: CellStore })[];
  /** They speak for all cells. */
  readonly joined: LedgerParts;
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  readonly forwarding: Forwarding;
}

export function cellsWorker(options: CellsWorkerOptions): Role {
  return { routes: worker.routes, leaderTasks: null, begin: () => begin(options) };
}

function begin({ cells, joined, kafka, topicPrefix, forwarding }: CellsWorkerOptions) {
  const { logger, now } = joined;
  const leads = createCellLeads(
    cells.map((cell) => ({ store: cell.store, tasks: tasksOf(cell, joined) })),
    logger.reporter('while leading a cell'),
  );
  const topics = topicsOf({ topicPrefix });
  const group = `${topicPrefix}.workers`;
  const settle = createSettling(
    cells.map(({ store }) => store.log),
    forwarding,
  );
  const taking = startTakingIn({
    kafka,
    ...{ group, topics, partitions: cells.length },
    checkPartitions: (topic, partitions) =>
      checkPartitions(topic, partitions, { cells: cells.length, note: logger.note }),
    beside: {
      group: `${group}.claims`,
      topic: topics.claims,
      create: (onError) => createCourt({ settle, now, onError }),
    },
    // What is in a partition of no cell is handed on.
    ingestOf: (partition) => (cells[partition]?.parts ?? joined).ingest,
    consuming: {
      ready: (partition, signal) =>
        partition < cells.length ? leads.wait(partition, signal) : null,
      onAssigned: (partitions) => leads.assign(partitions[topics.events] ?? []),
    },
    intake: joined.intake,
    now,
    note: logger.note,
    onError: logger.reporter('while taking in from Kafka'),
  });
  return {
    async stop() {
      await taking.stop();
      await leads.stop();
      await forwarding.close();
    },
  };
}

function tasksOf({ parts, errands }: JoinedCell, joined: LedgerParts): readonly LeaderTask[] {
  const { cell, metricsSending } = parts;
  return [
    noticingPutBack(parts),
    { ...folding(parts), stop: () => parts.subscription.end() },
    feeding(parts),
    ...(metricsSending === null ? [] : [metricsSending.task]),
    retention(parts),
    ...(cell.number > 0 ? [] : [deadLetterRetry(joined), budgetWatchOfAll(parts, joined)]),
    errands.task,
  ];
}

/** Crossings are written to the first cell, from the sums over all. */
function budgetWatchOfAll(parts: LedgerParts, { subscription }: LedgerParts): LeaderTask {
  return budgetWatch({ ...parts, subscription });
}
