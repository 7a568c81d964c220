/**
 * The role `worker`: takes in from Kafka what gateways handed on, folds, answers and administers
 * its store. Agents send to gateways, so it has no spool to read and no session files to import.
 */
import { LedgerError } from '../errors.ts';
import { createKafka } from '../ingest/kafka/kafkajs.ts';
import { topicsOf } from '../ingest/kafka/records.ts';
import { answerRoutes, healthRoutes, operationRoutes, pageRoutes } from './all.ts';
import {
  budgetWatch,
  deadLetterRetry,
  feeding,
  folding,
  noticingPutBack,
  restartable,
  retention,
} from './leader-tasks.ts';
import type { LeaderTask } from './leadership.ts';
import type { LedgerParts } from './parts.ts';
import type { Role } from './role.ts';
import { startTakingIn } from './taking-in.ts';

export const worker: Role = {
  routes: (parts) => [
    answerRoutes(parts),
    operationRoutes(parts),
    healthRoutes(parts),
    pageRoutes(parts),
  ],
  leaderTasks: (parts) => [
    noticingPutBack(parts),
    folding(parts),
    feeding(parts),
    ...(parts.metricsSending === null ? [] : [parts.metricsSending.task]),
    takingIn(parts),
    deadLetterRetry(parts),
    retention(parts),
    budgetWatch(parts),
  ],
};

function takingIn({ config, ingest, intake, now, logger }: LedgerParts): LeaderTask {
  const { kafka } = config;
  if (kafka === null) throw new LedgerError('config_invalid');
  return restartable('taking in from Kafka', (name) =>
    startTakingIn({
      kafka: createKafka(kafka),
      group: `${kafka.topicPrefix}.workers`,
      topics: topicsOf(kafka),
      partitions: 1,
      ingestOf: () => ingest,
      intake,
      now,
      note: logger.note,
      onError: logger.reporter(`while ${name}`),
    }),
  );
}
