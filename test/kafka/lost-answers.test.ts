/**
 * What a gateway has acknowledged is in Kafka, whatever happened to the answers of the broker. With
 * the idempotent producer of KafkaJS this fails (docs/decisions/0057-kafka-producer.md).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createForwarding } from '../../collector/ingest/kafka/forwarding.ts';
import type { KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { partitionOf } from '../../collector/ingest/kafka/partition-of.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';
import { turn } from '../collector/projections/support/given.ts';
import { dice } from '../hosts/support/machine/dice.ts';
import { type LocalBroker, startLocalBroker } from '../services/kafka/local-broker.ts';
import type { Weather } from '../support/fault-proxy/weather.ts';
import { createTopics, readAll, settingsFor } from './support.ts';

/** Of Kafka's protocol: four bytes of size, then the kind of request, which is 0 for a produce. */
const isProduce = (chunk: Buffer): boolean => chunk.length > 8 && chunk.readInt16BE(4) === 0;

const batchesMin = 25;
const answersLostMin = 15;

let broker: LocalBroker;
beforeAll(async () => {
  broker = await startLocalBroker(process.env, { isRequest: isProduce });
});
afterAll(() => broker.stop());

/** Answers are lost and connections cut, but not so often that no send ever succeeds. */
function badWeather(name: string): Weather {
  return { dice: dice(name), delayMsMax: 5, cutChance: 0.1, loseAnswerChance: 0.3 };
}

async function found(settings: KafkaSettings): Promise<readonly { readonly id: string }[]> {
  const direct = createKafka({ ...settings, brokers: [broker.address] });
  const records = await readAll(direct, topicsOf(settings).events);
  return records.map(({ value }) => JSON.parse(value) as { readonly id: string });
}

/** How many answers have been lost since it was called. */
function lossCounter(): () => number {
  const before = broker.proxy.counts().answersLost;
  return () => broker.proxy.counts().answersLost - before;
}

it('has every acknowledged event, though answers are lost and connections cut', async () => {
  const settings = settingsFor([broker.proxiedAddress]);
  await createTopics({ ...settings, brokers: [broker.address] }, 4);
  const forwarding = createForwarding({
    producing: createKafka(settings).openProducing(),
    topics: topicsOf(settings),
    partitionOf,
    now: Date.now,
    onError: () => undefined,
  });
  broker.proxy.setWeather(badWeather('batches'));
  const lost = lossCounter();
  const acknowledged: string[] = [];

  /** Sends one batch after another, each again until it is acknowledged, until enough was lost. */
  async function sender(name: string): Promise<void> {
    for (let batch = 0; batch < batchesMin || lost() < answersLostMin; batch += 1) {
      const events = Array.from({ length: 4 }, (_, index) =>
        turn(`2026-11-22T12:00:0${index}.000Z`, {}, `${name}-${batch % 3}`),
      );
      while ((await forwarding.accept(events).catch(() => null)) === null);
      acknowledged.push(...events.map(({ id }) => id));
    }
  }

  await Promise.all(Array.from({ length: 12 }, (_, index) => sender(`sender-${index}`)));
  broker.proxy.setWeather(null);
  await forwarding.close();
  const there = await found(settings);
  const ids = new Set(there.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(12 * batchesMin * 4);
  // The broker had written what no answer came for, so what was sent again is there twice.
  expect(there.length).toBeGreaterThan(ids.size);
});

it('has every confirmed record of several sends under way', async () => {
  const settings = settingsFor([broker.proxiedAddress]);
  await createTopics({ ...settings, brokers: [broker.address] }, 2);
  const producing = createKafka(settings).openProducing();
  const topic = topicsOf(settings).events;
  broker.proxy.setWeather(badWeather('sends'));
  const lost = lossCounter();
  const confirmed: string[] = [];
  async function sender(name: number): Promise<void> {
    for (let send = 0; send < batchesMin || lost() < answersLostMin; send += 1) {
      const ids = Array.from({ length: 10 }, (_, index) => `${name}/${send}/${index}`);
      const records = ids.map((id) => ({
        ...{ topic, partition: name % 2, key: id, headers: {}, value: JSON.stringify({ id }) },
      }));
      // What failed is not sent again: the next send follows it, as in a busy gateway.
      const isConfirmed = await producing.send(records).then(
        () => true,
        () => false,
      );
      if (isConfirmed) confirmed.push(...ids);
    }
  }
  await Promise.all([0, 1, 2, 3].map(sender));
  broker.proxy.setWeather(null);
  await producing.close();
  const ids = new Set((await found(settings)).map(({ id }) => id));
  expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
  expect(confirmed.length).toBeGreaterThan(0);
});
