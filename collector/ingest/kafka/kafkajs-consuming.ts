/** Consuming by KafkaJS: one of the files that know the library (kafkajs.ts). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka, RetryOptions } from 'kafkajs';
import type { ConsumeOptions, Consuming, IncomingRecord } from './kafka.ts';
import { byPartition } from './kafkajs-assigner.ts';
import { watchLosses } from './kafkajs-losses.ts';
import { rememberMembership } from './kafkajs-membership.ts';

const sessionMsDefault = 10_000;
/** How long a rebalance waits for a member; how long a join may go unanswered, with 5 s more. */
const rebalanceMsMax = 20_000;
const fetchMsMax = 500;
/**
 * A partition's part is counted packed: unpacked it is ten times as much, and as events several
 * times that.
 */
const fetchBytesMax = 128 * 1024;
const restartMs = 500;
/** How soon partitions that were added are known. */
const metadataMsMax = 60_000;
/** Between two looks at a partition that will not be ready. */
const notReadyMs = 60_000;

/**
 * The library restarts a consumer after some errors and gives up after others: here each one that
 * ended is replaced by a new one.
 */
export function startConsuming(
  client: Kafka,
  retry: RetryOptions,
  options: ConsumeOptions,
): Consuming {
  const { sessionMs = sessionMsDefault } = options;
  const heartbeatMs = Math.min(sessionMs, sessionMsDefault) / 5;
  const stopping = new AbortController();
  const membership = rememberMembership(options.group);
  const losses = watchLosses(client, retry, options);
  const held = new Map<string, AbortController>();
  const release = (): void => {
    for (const partition of held.values()) partition.abort();
    held.clear();
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const consumer = client.consumer({
        groupId: options.group,
        allowAutoTopicCreation: false,
        sessionTimeout: sessionMs,
        rebalanceTimeout: Math.max(rebalanceMsMax, sessionMs),
        heartbeatInterval: heartbeatMs,
        metadataMaxAge: metadataMsMax,
        partitionAssigners: [membership.seenBy(byPartition)],
        // Whoever stops waits for the fetch under way.
        maxWaitTimeInMs: fetchMsMax,
        maxBytesPerPartition: fetchBytesMax,
        retry: { ...retry, restartOnFailure: async () => false },
      });
      await consumeOnce(consumer).catch(options.onError);
      release();
      options.onAssigned?.({});
      await consumer.disconnect().catch(options.onError);
      const { signal } = stopping;
      await sleep(restartMs, undefined, { signal }).catch(() => undefined); // stopped
    }
  }

  /** Until it crashes, or is stopped. */
  async function consumeOnce(consumer: Consumer): Promise<void> {
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer.on(consumer.events.REBALANCING, release);
    consumer.on(consumer.events.FETCH, () => options.onFetched?.());
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      release();
      membership.began(payload.memberId);
      losses.joined(payload.memberAssignment);
      for (const [topic, partitions] of Object.entries(payload.memberAssignment))
        for (const partition of partitions)
          held.set(`${topic}/${partition}`, new AbortController());
      options.onAssigned?.(payload.memberAssignment);
    });
    await consumer.connect();
    await membership.leaveFormer();
    await losses.begin();
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 64,
      eachBatch: (payload) => handle(payload),
    });
    await ended;
  }

  async function handle(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, resolveOffset, commitOffsetsIfNecessary } = payload;
    const { topic, partition } = batch;
    const signal = held.get(`${topic}/${partition}`)?.signal;
    if (signal === undefined || signal.aborted || payload.isStale()) return;
    const waiting = options.ready?.(partition, signal) ?? null;
    if (waiting !== null) return resumeAfter(waiting, payload.pause(), signal);
    // A rebalance is told to heartbeats: whoever works on must hear of it.
    const beating = setInterval(
      () => void heartbeat().catch((error: unknown) => isLeaving(error) && release()),
      heartbeatMs,
    );
    try {
      await losses.look(batch);
      await options.handle(
        batch.messages.map((message) => incoming(topic, partition, message)),
        signal,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearInterval(beating);
    }
    if (signal.aborted) return; // whoever holds it next gets them again
    const last = batch.lastOffset();
    resolveOffset(last);
    const next = BigInt(last) + 1n;
    losses.took(batch, next);
    const offset = next.toString();
    await commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset }] }] });
  }

  function resumeAfter(waiting: Promise<void>, resume: () => void, signal: AbortSignal): void {
    void waiting
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        options.onError(error);
        await sleep(notReadyMs, undefined, { signal }).catch(() => undefined); // taken away
      })
      .then(resume);
  }

  const running = run();
  return {
    assigned: () => [...held.keys()],
    async stop() {
      stopping.abort();
      release();
      await running;
    },
  };
}

/** Says that this member has to join again. For other reasons the next heartbeat may not fail. */
function isLeaving(error: unknown): boolean {
  return leaving.has(String((error as { readonly type?: unknown } | null)?.type));
}

const leaving: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'UNKNOWN_MEMBER_ID',
]);

function incoming(
  topic: string,
  partition: number,
  { offset, value, headers }: EachBatchPayload['batch']['messages'][number],
): IncomingRecord {
  const texts = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  return { topic, partition, offset, value: value?.toString() ?? '', headers: texts };
}
