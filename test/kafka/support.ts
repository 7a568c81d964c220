/** What tests of the lane `kafka` share: topics of their own, and what is in them. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { IncomingRecord, Kafka, KafkaSettings } from '../../collector/ingest/kafka/kafka.ts';
import { createKafka } from '../../collector/ingest/kafka/kafkajs.ts';
import { topicsOf } from '../../collector/ingest/kafka/records.ts';

/** Of the lane's broker. Throws if there is none: tests then fail instead of being skipped. */
export function laneBrokers(): readonly string[] {
  const lane = inject('kafka');
  if (lane === null) throw new Error(inject('laneServer'));
  return lane.addresses.split(',');
}

/** With a prefix of its own, so that no test sees another's topics. */
export function settingsFor(brokers: readonly string[]): KafkaSettings {
  return { brokers, topicPrefix: `test-${randomUUID()}`, sasl: null, tls: null };
}

export async function createTopics(settings: KafkaSettings, partitions = 1): Promise<void> {
  const { events, deadLetters } = topicsOf(settings);
  const admin = await createKafka(settings).openTopics();
  await admin.create([
    { topic: events, partitions, replication: 1, settings: {} },
    { topic: deadLetters, partitions: 1, replication: 1, settings: {} },
  ]);
  // A broker answers for a topic a moment after it has created it.
  while ((await admin.find(events, []).catch(() => null))?.partitions !== partitions);
  await admin.close();
}

/** Everything that is in the topic now, in the order of each partition. */
export async function readAll(kafka: Kafka, topic: string): Promise<readonly IncomingRecord[]> {
  const admin = await kafka.openTopics();
  const ends = (await admin.find(topic, []))?.offsets.map(([, end]) => end) ?? [];
  await admin.close();
  const found: IncomingRecord[] = [];
  const missing = new Set(ends.flatMap((end, partition) => (end > 0 ? [partition] : [])));
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  if (missing.size === 0) return [];
  const consuming = kafka.startConsuming({
    group: `test-${randomUUID()}`,
    topics: [topic],
    async handle(records) {
      found.push(...records);
      for (const { partition, offset } of records)
        if (Number(offset) + 1 >= (ends[partition] ?? 0)) missing.delete(partition);
      if (missing.size === 0) resolve();
    },
    // A coordinator that is loading, for example: it comes back by itself.
    onError: () => undefined,
  });
  try {
    await complete;
  } finally {
    await consuming.stop();
  }
  return found.toSorted((left, right) => Number(left.offset) - Number(right.offset));
}
