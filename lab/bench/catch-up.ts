/**
 * A worker that starts behind: so many events wait in Kafka, in one partition or in eight. How much
 * memory it takes to catch up with them, and how much processor time.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '@pi-ledger/contract/answers';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { type LocalBroker, startLocalBroker } from '../../test/services/kafka/local-broker.ts';
import { sendBacklog } from './backlog.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 150_000;
const partitions = [1, 8] as const;
const residentMegabytesMax = 500;
const pollMs = 100;

export const catchUp: Benchmark = {
  name: 'catch-up',
  budget: `a worker that catches up takes <= ${residentMegabytesMax} MB`,
  async run({ events }) {
    const broker = await startLocalBroker(process.env);
    try {
      const [one, eight] = [
        await measure(broker, partitions[0], events ?? eventsDefault),
        await measure(broker, partitions[1], events ?? eventsDefault),
      ];
      return rowsOf(one, eight);
    } finally {
      await broker.stop();
    }
  },
};

interface Measured {
  readonly events: number;
  readonly residentMegabytesMax: number;
  readonly cpuSeconds: number;
}

function rowsOf(one: Measured, eight: Measured): readonly Row[] {
  const note = `${eight.events.toLocaleString('en-US')} events wait; SQLite, semi-spaces of 16 MB`;
  return [
    {
      what: 'resident at most, of eight partitions',
      measured: eight.residentMegabytesMax,
      unit: 'MB',
      budget: { max: residentMegabytesMax },
      baseline: { what: 'of one', measured: one.residentMegabytesMax },
      note,
    },
    {
      what: 'caught up with, of eight partitions',
      measured: eight.events / eight.cpuSeconds,
      unit: 'events/cpu-s',
      baseline: { what: 'of one', measured: one.events / one.cpuSeconds },
      note: 'start included',
    },
  ];
}

function measure(broker: LocalBroker, count: number, events: number): Promise<Measured> {
  return withTemporaryDirectory(async (directory) => {
    const topicPrefix = `of-${count}`;
    const settings = { brokers: [broker.address], topicPrefix, sasl: null, tls: null };
    await createTopics(settings, count);
    const start = (role: 'gateway' | 'worker'): Promise<CollectorProcess> => {
      const home = join(directory, role);
      mkdirSync(home);
      return startCollector({
        ...{ home, store: `sqlite:${join(directory, 'ledger.db')}` },
        nodeOptions: ['--max-semi-space-size=16'],
        isReady: ({ ready, role: now }) => ready || now === 'gateway',
        environment: {
          PI_LEDGER_ROLE: role,
          PI_LEDGER_KAFKA: `kafka://${broker.address}/${topicPrefix}`,
        },
      });
    };
    const gateway = await start('gateway');
    const sent = await sendBacklog(gateway.url, events);
    await gateway.stop();
    const worker = await start('worker');
    try {
      const megabytes = await residentUntilFolded(worker, sent);
      return {
        ...{ events: sent, residentMegabytesMax: megabytes },
        cpuSeconds: await worker.cpuSeconds(),
      };
    } finally {
      await worker.stop();
    }
  });
}

async function createTopics(
  settings: Parameters<typeof createKafka>[0],
  count: number,
): Promise<void> {
  const { events, deadLetters } = topicsOf(settings);
  const admin = await createKafka(settings).openTopics();
  await admin.create([
    { topic: events, partitions: count, replication: 1, settings: {} },
    { topic: deadLetters, partitions: 1, replication: 1, settings: {} },
  ]);
  await admin.close();
}

async function residentUntilFolded(worker: CollectorProcess, events: number): Promise<number> {
  let most = 0;
  for (let isFolded = false; !isFolded; await sleep(pollMs)) {
    most = Math.max(most, (await worker.residentBytes()) / 1e6);
    const answer = await fetch(`${worker.url}/v1/health`);
    const { views = [] } = (await answer.json()) as Pick<Health, 'views'>;
    isFolded = views.length > 0 && views.every(({ position }) => position >= events);
  }
  return most;
}
