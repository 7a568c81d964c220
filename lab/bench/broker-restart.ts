/**
 * A worker whose broker was killed: how long after the broker serves again the first record of a
 * topic is taken in. Its former membership of the group is still known there, for ten seconds.
 */
import type { Kafka } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { type LocalBroker, startLocalBroker } from '../../test/services/kafka/local-broker.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { median, spread } from './statistics.ts';

const restartsMax = 10;
const takenMsMax = 2_000;
const topic = 'bench.events';

export const brokerRestart: Benchmark = {
  name: 'broker-restart',
  budget: `a worker goes on <= ${takenMsMax} ms after its broker is back`,
  async run({ runs }) {
    const broker = await startLocalBroker(process.env, { flags: [] });
    try {
      return await measure(broker, Math.min(runs, restartsMax));
    } finally {
      await broker.stop();
    }
  },
};

interface Sample {
  readonly confirmedMs: number;
  readonly takenMs: number;
}

async function measure(broker: LocalBroker, restarts: number): Promise<readonly Row[]> {
  const brokers = [broker.address];
  const kafka = createKafka({ brokers, topicPrefix: 'bench', sasl: null, tls: null });
  const admin = await kafka.openTopics();
  await admin.create([{ topic, partitions: 1, replication: 1, settings: {} }]);
  await admin.close();
  const load = startLoad(kafka);
  const samples: Sample[] = [];
  try {
    await load.carry();
    for (let restart = 0; restart < restarts; restart += 1) {
      await broker.kill();
      await broker.restart();
      samples.push(await load.carry());
    }
  } finally {
    await load.stop();
  }
  const taken = samples.map(({ takenMs }) => takenMs);
  const most = Math.max(...taken).toFixed(0);
  return [
    {
      what: 'from the broker serving again to the first record taken in',
      measured: median(taken),
      unit: 'ms',
      budget: { max: takenMsMax },
      baseline: {
        what: 'to the first send confirmed',
        measured: median(samples.map(({ confirmedMs }) => confirmedMs)),
      },
      note: `${restarts} restarts; middle half ${spread(taken, 0)}, at most ${most}`,
    },
  ];
}

/** `carry` sends a record until it is confirmed, and resolves when it is taken in. */
function startLoad(kafka: Kafka): { carry(): Promise<Sample>; stop(): Promise<void> } {
  const producing = kafka.openProducing();
  const waiting = new Map<string, () => void>();
  let sent = 0;
  const consuming = kafka.startConsuming({
    ...{ group: 'bench.workers', topics: [topic] },
    async handle(records) {
      for (const { value } of records) waiting.get(value)?.();
    },
    // Nobody answers while the broker is away.
    onError: () => undefined,
  });
  return {
    async carry() {
      sent += 1;
      const value = String(sent);
      const beganMs = performance.now();
      const taken = new Promise<void>((resolve) => waiting.set(value, resolve));
      const record = { topic, partition: 0, key: 'a-session', value, headers: {} };
      while (!(await isSent(producing.send([record]))));
      const confirmedMs = performance.now() - beganMs;
      await taken;
      return { confirmedMs, takenMs: performance.now() - beganMs };
    },
    async stop() {
      await consuming.stop();
      await producing.close();
    },
  };
}

function isSent(sending: Promise<void>): Promise<boolean> {
  return sending.then(
    () => true,
    () => false,
  );
}
