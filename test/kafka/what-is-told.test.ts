/** What a worker tells of the way from Kafka: in its health, where `doctor` and people look. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import {
  type CollectorProcess,
  deliver,
  endCollector,
  startCollectorProcess,
} from '../mongodb/support/collectors.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import { settingsFor } from './support.ts';

const directory = temporaryDirectory();
const running: CollectorProcess[] = [];
let broker: LocalBroker;
let stores = 0;

beforeAll(async () => {
  broker = await startLocalBroker(process.env);
  return () => broker.stop();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => endCollector(each, 'SIGTERM')));
});

function organisation() {
  const settings = settingsFor([broker.address]);
  stores += 1;
  const store = `sqlite:${directory}/ledger-${stores}.db`;
  const kafka = `kafka://${broker.address}/${settings.topicPrefix}`;
  async function start(
    role: 'gateway' | 'worker',
    more: Readonly<Record<string, string>> = {},
  ): Promise<CollectorProcess> {
    const env = { PI_LEDGER_ROLE: role, PI_LEDGER_KAFKA: kafka, ...more };
    const started = await startCollectorProcess(store, directory, env);
    running.push(started);
    return started;
  }
  return { topic: topicsOf(settings).events, start };
}

async function healthOf({ url }: CollectorProcess, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/health/ready`, { headers });
  return (await answer.json()) as { ready: boolean; problems: string[]; warnings: string[] };
}

async function eventsIn({ url }: CollectorProcess): Promise<number> {
  const answer = await fetch(`${url}/v1/log?after=0`);
  return ((await answer.json()) as { rows: unknown[] }).rows.length;
}

function client() {
  const { logLevel, Kafka } = kafkajs;
  return new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING });
}

/** As the topic's retention does. */
async function deleteBefore(topic: string, offset: number): Promise<void> {
  const admin = client().admin();
  await admin.connect();
  await admin.fetchTopicOffsets(topic);
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(offset) }] });
  await admin.disconnect();
}

async function setCompression(topic: string, value: string): Promise<void> {
  const admin = client().admin();
  await admin.connect();
  const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic };
  const configEntries = [{ name: 'compression.type', value }];
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
  await admin.disconnect();
}

it('how many records were deleted while it was away, and nothing where none were', async () => {
  const { topic, start } = organisation();
  const [gateway, first] = [await start('gateway'), await start('worker')];
  await deliver(() => [gateway.url], exampleEvents(1, 5));
  await expect.poll(() => eventsIn(first)).toBe(5);
  await endCollector(first, 'SIGTERM');
  await deliver(() => [gateway.url], exampleEvents(6, 10));
  await deleteBefore(topic, 12);
  const worker = await start('worker');
  await expect.poll(() => eventsIn(worker)).toBe(8);
  await expect
    .poll(async () => (await healthOf(worker)).warnings[0])
    .toContain(`Kafka deleted 7 records of the topic ${topic}`);
  await expect.poll(() => worker.errors()).toContain('Kafka deleted 7 records');
  await endCollector(worker, 'SIGTERM');
  await deleteBefore(topic, 15);
  const last = await start('worker');
  await deliver(() => [gateway.url], exampleEvents(20, 5));
  await expect.poll(() => eventsIn(last)).toBe(13);
  await expect.poll(async () => (await healthOf(last)).warnings).toEqual([]);
});

it('that it cannot read what is compressed in a way it does not know', async () => {
  const { topic, start } = organisation();
  const [gateway, worker] = [await start('gateway'), await start('worker')];
  await deliver(() => [gateway.url], exampleEvents(1, 5));
  await expect.poll(() => eventsIn(worker)).toBe(5);
  await expect.poll(async () => (await healthOf(worker)).warnings).toEqual([]);
  await setCompression(topic, 'zstd');
  // A broker compresses so a moment after it has taken the setting: what came before is read.
  let delivered = 5;
  await expect
    .poll(async () => {
      await deliver(() => [gateway.url], exampleEvents(delivered + 1, 1));
      delivered += 1;
      return (await healthOf(worker)).warnings;
    })
    .toEqual(['Taking in from Kafka fails: ZSTD compression not implemented']);
});

it('that no broker answers, until one does', async () => {
  const { start } = organisation();
  const [gateway, worker] = [await start('gateway'), await start('worker')];
  await deliver(() => [gateway.url], exampleEvents(1, 5));
  await expect.poll(() => eventsIn(worker)).toBe(5);
  await expect.poll(async () => (await healthOf(gateway)).ready).toBe(true);
  await broker.kill();
  try {
    await expect
      .poll(async () => (await healthOf(worker)).warnings)
      .toEqual([expect.stringContaining('Taking in from Kafka fails: ')]);
    // Nobody has sent anything since.
    await expect
      .poll(async () => (await healthOf(gateway)).problems)
      .toEqual([expect.stringContaining('Kafka cannot be written: ')]);
  } finally {
    await broker.restart();
  }
  await expect.poll(async () => (await healthOf(worker)).warnings).toEqual([]);
  await expect.poll(async () => (await healthOf(gateway)).ready).toBe(true);
});

it('by a gateway: that it can let nobody in, and that it answers nothing', async () => {
  const { start } = organisation();
  const gateway = await start('gateway', { PI_LEDGER_AUTH: 'required' });
  const token = JSON.parse(readFileSync(join(gateway.home, 'collector.json'), 'utf8')).token;
  const headers = { authorization: `Bearer ${token}` };
  const problems = async () => (await healthOf(gateway, headers)).problems;
  // There is no ledger yet, nor its topics.
  await expect
    .poll(problems)
    .toEqual([expect.stringContaining('There is no topic'), expect.stringContaining('Tokens')]);
  await start('worker');
  await expect.poll(problems).toEqual([]);
  const asked = await fetch(`${gateway.url}/v1/usage`, { headers });
  expect({ status: asked.status, answer: await asked.json() }).toEqual({
    status: 404,
    answer: { code: 'not_found', message: expect.stringContaining('ask a worker') },
  });
});
