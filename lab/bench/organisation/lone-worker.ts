/**
 * One worker on a core of its own, its database on the other, and a topic of Kafka that it takes in
 * from. Whoever writes the topic, and the broker, have what both leave.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Health } from '@pi-ledger/contract/answers';
import {
  ensureTopics,
  retentionDaysDefault,
} from '../../../collector/ingest/kafka/ensure-topics.ts';
import { createKafka } from '../../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../../collector/ingest/kafka/records.ts';
import { startLocalBroker } from '../../../test/services/kafka/local-broker.ts';
import { uriOf } from '../../../test/services/mongodb/databases.ts';
import { findServer } from '../../../test/services/mongodb/find-server.ts';
import type { BenchOptions } from '../benchmark.ts';
import { type CollectorProcess, startCollector } from '../collector-process.ts';
import { databasePrograms } from '../growth/stores.ts';
import { cpuSecondsOfDescendants } from '../proc.ts';
import { withTemporaryDirectory } from '../temporary-directory.ts';
import { type GatewayRecords, openGatewayRecords } from './gateway-records.ts';
import { pin, pinDescendants } from './pinned.ts';

const cores = { worker: 0, database: 1 } as const;
const gateways = 2;

export type StoreName = BenchOptions['stores'][number];

/** What was spent until a moment, and how far the worker was then. */
export interface Spent {
  readonly atMs: number;
  readonly folded: number;
  readonly workerSeconds: number;
  readonly databaseSeconds: number;
  readonly workerBytes: number;
}

export interface LoneWorker {
  readonly records: GatewayRecords;
  /** It is stopped then; the topic may be filled meanwhile. */
  stop(): Promise<void>;
  start(): Promise<void>;
  spent(): Promise<Spent>;
}

export async function withLoneWorker<Result>(
  store: StoreName,
  use: (worker: LoneWorker) => Promise<Result>,
): Promise<Result> {
  const broker = await startLocalBroker(process.env, { flags: [] });
  try {
    return await withTemporaryDirectory((directory) =>
      withStore(store, directory, async (address) => {
        const settings = { brokers: [broker.address], topicPrefix: store, sasl: null, tls: null };
        const kafka = createKafka(settings);
        const topics = topicsOf(settings);
        const admin = await kafka.openTopics();
        // As `pi-ledger topics` does for a ledger of one cell.
        const wish = { partitions: 1, replication: null, retentionDays: retentionDaysDefault };
        await ensureTopics(admin, { ...topics, ...wish });
        await admin.close();
        const home = join(directory, 'worker');
        mkdirSync(home);
        const records = openGatewayRecords(kafka, topics, gateways);
        const start = () => startPinned(home, address, `kafka://${broker.address}/${store}`);
        const worker = loneWorker(records, start);
        try {
          return await use(worker);
        } finally {
          await worker.stop();
          await records.close();
        }
      }),
    );
  } finally {
    await broker.stop();
  }
}

async function withStore<Result>(
  store: StoreName,
  directory: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  if (store === 'sqlite') return use(`sqlite:${join(directory, 'ledger.db')}`);
  const found = await findServer(process.env, { isSynced: true });
  if (found.kind === 'none') throw new Error(found.reason);
  try {
    return await use(uriOf(found.server.uri, 'bench_one_worker'));
  } finally {
    await found.server.stop();
  }
}

async function startPinned(home: string, store: string, kafka: string): Promise<CollectorProcess> {
  const worker = await startCollector({
    ...{ home, store, nodeOptions: ['--max-semi-space-size=16'] },
    environment: { PI_LEDGER_ROLE: 'worker', PI_LEDGER_KAFKA: kafka },
  });
  pin(worker.pid, cores.worker);
  await pinDescendants(databasePrograms, cores.database);
  return worker;
}

function loneWorker(
  records: GatewayRecords,
  startProcess: () => Promise<CollectorProcess>,
): LoneWorker {
  let running: CollectorProcess | null = null;
  return {
    records,
    async stop() {
      await running?.stop();
      running = null;
    },
    async start() {
      running = await startProcess();
    },
    async spent() {
      if (running === null) throw new Error('The worker does not run.');
      const folded = await foldedBy(running);
      return {
        folded,
        atMs: performance.now(),
        workerSeconds: await running.cpuSeconds(),
        databaseSeconds: await cpuSecondsOfDescendants(databasePrograms),
        workerBytes: await running.residentBytes(),
      };
    },
  };
}

/** By all views. */
async function foldedBy({ url }: CollectorProcess): Promise<number> {
  const answer = await fetch(`${url}/v1/health`);
  const { views = [] } = (await answer.json()) as Pick<Health, 'views'>;
  return views.length === 0 ? 0 : Math.min(...views.map(({ position }) => position));
}
