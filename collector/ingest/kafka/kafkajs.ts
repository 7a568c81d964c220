/**
 * Kafka by KafkaJS: this file and those named after it are all that know the library.
 *
 * Its producer here is neither idempotent nor transactional (docs/decisions/0057): a repeated send
 * may leave a record twice, and the unique event id removes it in the log; the idempotent one was
 * measured to lose what it had acknowledged.
 */
import { readFileSync } from 'node:fs';
import kafkajs, { type Admin } from 'kafkajs';
import type { Kafka, KafkaSettings, Producing, TopicsAdmin } from './kafka.ts';
import { startConsuming } from './kafkajs-consuming.ts';
import { renewing } from './renewing.ts';
import { ignoreTimerRemarks } from './timer-remarks.ts';
import { unconfirmedPartitions } from './unconfirmed.ts';

const { CompressionTypes, ConfigResourceTypes } = kafkajs;
type Client = InstanceType<typeof kafkajs.Kafka>;

const requestMsMax = 9_000;
const connectMsMax = 3_000;
/** With the request's bound, a send is over within half a minute. */
const sendRetries = { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000 };

export function createKafka({ brokers, sasl, tls }: KafkaSettings): Kafka {
  ignoreTimerRemarks();
  const client = new kafkajs.Kafka({
    clientId: 'pi-ledger',
    brokers: [...brokers],
    connectionTimeout: connectMsMax,
    requestTimeout: requestMsMax,
    retry: sendRetries,
    // What it would print is in the errors that its promises reject with.
    logLevel: kafkajs.logLevel.NOTHING,
    ...(sasl === null ? {} : { sasl: loginOf(sasl) }),
    ...(tls === null ? {} : { ssl: tls.caFile === null ? true : { ca: [read(tls.caFile)] } }),
  });
  return {
    openProducing: () => openProducing(client),
    startConsuming: (options) => startConsuming(client, sendRetries, options),
    openTopics: () => openTopics(client),
  };
}

function loginOf({ mechanism, username, password }: NonNullable<KafkaSettings['sasl']>) {
  // The library's type ties each mechanism to its own object.
  return { mechanism: mechanism as 'plain', username, password };
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function openProducing(client: Client): Producing {
  const settings = { allowAutoTopicCreation: false, retry: sendRetries };
  const withProducer = renewing(() => client.producer(settings));
  const withAdmin = renewing(() => client.admin({ retry: sendRetries }));
  return {
    send: (records) =>
      withProducer.use(async (producer) => {
        const answered = await producer.sendBatch({
          acks: -1,
          compression: CompressionTypes.GZIP,
          topicMessages: [...Map.groupBy(records, ({ topic }) => topic)].map(
            ([topic, ofTopic]) => ({
              topic,
              messages: ofTopic.map(({ partition, key, value, headers }) => ({
                ...{ partition, key, value, headers: { ...headers } },
              })),
            }),
          ),
        });
        const unconfirmed = unconfirmedPartitions(records, answered);
        if (unconfirmed.length > 0)
          throw new Error(`No broker confirmed what was sent to ${unconfirmed.join(', ')}.`);
      }),
    partitionsOf: (topic) =>
      withAdmin.use(async (admin) => {
        const { topics } = await admin
          .fetchTopicMetadata({ topics: [topic] })
          .catch((error: unknown) => {
            if (isUnknownTopic(error)) return { topics: [] };
            throw error;
          });
        return topics[0]?.partitions.length ?? 0;
      }),
    async close() {
      await Promise.all([withProducer.close(), withAdmin.close()]);
    },
  };
}

function isUnknownTopic(error: unknown): boolean {
  const { type } = (error ?? {}) as { readonly type?: unknown };
  return type === 'UNKNOWN_TOPIC_OR_PARTITION';
}

async function openTopics(client: Client): Promise<TopicsAdmin> {
  const admin = client.admin({ retry: sendRetries });
  await admin.connect();
  return {
    async find(topic, settings) {
      if (!(await admin.listTopics()).includes(topic)) return null;
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      const partitions = topics[0]?.partitions ?? [];
      const offsets = await admin.fetchTopicOffsets(topic);
      return {
        topic,
        partitions: partitions.length,
        replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        settings: await settingsOf(admin, topic, settings),
        offsets: offsets
          .toSorted((left, right) => left.partition - right.partition)
          .map(({ low, high }) => [Number(low), Number(high)] as const),
      };
    },
    async create(wishes) {
      await admin.createTopics({
        // It may say that a topic is unknown which it has just created.
        waitForLeaders: false,
        topics: wishes.map(({ topic, partitions, replication, settings }) => ({
          topic,
          numPartitions: partitions,
          replicationFactor: replication,
          configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
        })),
      });
    },
    brokerCount: async () => (await admin.describeCluster()).brokers.length,
    close: () => admin.disconnect(),
  };
}

async function settingsOf(
  admin: Admin,
  topic: string,
  configNames: readonly string[],
): Promise<Record<string, string>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: [...configNames] }],
  });
  const entries = resources[0]?.configEntries ?? [];
  return Object.fromEntries(
    entries.map(({ configName, configValue }) => [configName, configValue]),
  );
}
