/**
 * Which partitions of a send no broker has confirmed. KafkaJS repeats a send only to those brokers
 * that have not answered yet: when a partition moves meanwhile to a broker that has, its records
 * are sent nowhere, and the send looks complete. Pure.
 */
import type { OutgoingRecord } from './kafka.ts';

interface Confirmed {
  readonly topicName: string;
  readonly partition: number;
  readonly errorCode: number;
}

/** As `topic/partition`. */
export function unconfirmedPartitions(
  records: readonly Pick<OutgoingRecord, 'topic' | 'partition'>[],
  answered: readonly Confirmed[],
): readonly string[] {
  const confirmed = new Set(
    answered
      .filter(({ errorCode }) => errorCode === 0)
      .map(({ topicName, partition }) => `${topicName}/${partition}`),
  );
  const sent = new Set(records.map(({ topic, partition }) => `${topic}/${partition}`));
  return [...sent].filter((place) => !confirmed.has(place));
}
