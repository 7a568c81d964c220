/**
 * Records that a topic's retention deleted before they were taken in. KafkaJS then goes on with
 * the first that is left, and says nothing.
 *
 * What comes next of a partition is known from what the group has committed when a consumer
 * starts, and from what it has taken in since; not of partitions that another member had meanwhile.
 */
import type { Batch, Kafka, RetryOptions } from 'kafkajs';
import type { ConsumeOptions } from './kafka.ts';

export interface Losses {
  /** Before the consumer joins. Where no broker says what is committed, nothing is known. */
  begin(): Promise<void>;
  /** With the first join, and with each later one. */
  joined(partitions: Readonly<Record<string, readonly number[]>>): void;
  /** Before the batch is handled. */
  look(batch: Batch): Promise<void>;
  /** `next`: the offset that is committed. */
  took(batch: Batch, next: bigint): void;
}

export function watchLosses(
  client: Kafka,
  retry: RetryOptions,
  { group, topics, onLost }: Pick<ConsumeOptions, 'group' | 'topics' | 'onLost'>,
): Losses {
  let expected = new Map<string, bigint>();
  /** Before the first join it is null: what is expected is the group's then. */
  let held: ReadonlySet<string> | null = null;

  async function asking<Answer>(
    ask: (admin: ReturnType<Kafka['admin']>) => Promise<Answer>,
  ): Promise<Answer> {
    const admin = client.admin({ retry });
    try {
      await admin.connect();
      return await ask(admin);
    } finally {
      await admin.disconnect();
    }
  }

  async function firstOf({ topic, partition }: Batch): Promise<bigint> {
    const offsets = await asking((admin) => admin.fetchTopicOffsets(topic));
    return BigInt(offsets.find((each) => each.partition === partition)?.low ?? 0);
  }

  return {
    async begin() {
      held = null;
      expected = new Map();
      const found = await asking((admin) =>
        admin.fetchOffsets({ groupId: group, topics: [...topics] }),
      ).catch(() => []);
      for (const { topic, partitions } of found)
        for (const { partition, offset } of partitions)
          if (BigInt(offset) >= 0n) expected.set(`${topic}/${partition}`, BigInt(offset));
    },
    joined(partitions) {
      const before = held;
      held = new Set(
        Object.entries(partitions).flatMap(([topic, numbers]) =>
          numbers.map((number) => `${topic}/${number}`),
        ),
      );
      for (const place of expected.keys())
        if (!held.has(place) || before?.has(place) === false) expected.delete(place);
    },
    async look(batch) {
      const next = expected.get(placeOf(batch));
      const first = BigInt(batch.messages[0]?.offset ?? 0);
      if (next === undefined || first <= next) return;
      // Between them there may also be what Kafka itself wrote.
      const left = await firstOf(batch).catch(() => next);
      const records = Number((left < first ? left : first) - next);
      expected.set(placeOf(batch), first);
      const { topic, partition } = batch;
      if (records > 0) onLost?.({ topic, partition, records });
    },
    took: (batch, next) => void expected.set(placeOf(batch), next),
  };
}

function placeOf({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}
