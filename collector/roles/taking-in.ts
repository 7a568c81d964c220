/** Takes in what gateways handed on, while this worker leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDoor, type DoorOptions, type TakeRecords } from '../ingest/kafka/door.ts';
import { ensureTopics, retentionDaysDefault } from '../ingest/kafka/ensure-topics.ts';
import { type Intake, lossOf } from '../ingest/kafka/intake.ts';
import type { ConsumeOptions, Consuming, Kafka, LostRecords } from '../ingest/kafka/kafka.ts';

export interface TakingInOptions extends DoorOptions {
  readonly kafka: Kafka;
  /** Workers of one ledger. */
  readonly group: string;
  /** How many partitions of the events are made where there is no topic; all are taken in. */
  readonly partitions: number;
  /** Throws, or notes, where a topic of events has not the partitions that it should have. */
  checkPartitions?(topic: string, partitions: number): void;
  /** Which partitions of the events it has, and when it may take in from one: kafka.ts. */
  readonly consuming?: Pick<ConsumeOptions, 'onAssigned' | 'ready'>;
  /** What is taken in beside, by a group of its own: it may wait for what this one takes in. */
  readonly beside?: {
    readonly group: string;
    readonly topic: string;
    create(onError: DoorOptions['onError']): TakeRecords;
  };
  readonly intake: Intake;
  /** Something that people should know. */
  note(message: string): void;
}

const brokersAgainMs = 2_000;

export function startTakingIn(options: TakingInOptions): { stop(): Promise<void> } {
  const { kafka, group, topics, beside, intake, note } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const consumings: Consuming[] = [];

  async function run(): Promise<void> {
    for (let isSaid = false; !signal.aborted; isSaid = true) {
      try {
        await prepareTopics(options);
        intake.done(topics.events);
        break;
      } catch (error) {
        intake.failed(topics.events, error);
        if (!isSaid) options.onError(error);
        await sleep(brokersAgainMs, undefined, { signal }).catch(() => undefined); // stopped
      }
    }
    if (signal.aborted) return;
    const { events, deadLetters } = topics;
    consumings.push(
      kafka.startConsuming({
        ...{ group, topics: [events, deadLetters], ...watched(group) },
        handle: watchedPlaces((onError) => createDoor({ ...options, onError })),
        ...options.consuming,
      }),
    );
    if (beside === undefined) return;
    consumings.push(
      kafka.startConsuming({
        ...{ group: beside.group, topics: [beside.topic], ...watched(beside.group) },
        handle: watchedPlaces(beside.create),
      }),
    );
  }

  function failing(what: string) {
    return (error: unknown): void => {
      intake.failed(what, error);
      options.onError(error);
    };
  }

  function watched(name: string) {
    return {
      onError: failing(name),
      onFetched: () => intake.done(name),
      onLost(lost: LostRecords): void {
        intake.lost(lost);
        note(lossOf(lost.topic, lost.records));
      },
    };
  }

  /** What fails for a partition does so until its records are taken in, or another has it. */
  function watchedPlaces(create: (onError: DoorOptions['onError']) => TakeRecords): TakeRecords {
    return async (records, signal) => {
      const place = `${records[0]?.topic}/${records[0]?.partition}`;
      try {
        await create(failing(place))(records, signal);
      } finally {
        intake.done(place);
      }
    };
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(consumings.map((each) => each.stop()));
    },
  };
}

/** Rejects where `checkPartitions` throws. */
async function prepareTopics(options: TakingInOptions): Promise<void> {
  const { kafka, topics, partitions, checkPartitions, note } = options;
  const admin = await kafka.openTopics();
  try {
    const wish = { ...topics, replication: null, retentionDays: retentionDaysDefault };
    for (const { topic, isNew, found, differences } of await ensureTopics(admin, {
      ...wish,
      partitions,
    })) {
      if (isNew) note(`Created the topic ${topic}.`);
      if (topic !== topics.deadLetters) checkPartitions?.(topic, found?.partitions ?? 0);
      // The one store takes what all partitions have.
      const wrong = differences.filter((each) => found === null || !each.includes('partitions'));
      if (wrong.length > 0) note(`The topic ${topic}: ${wrong.join('; ')}.`);
    }
  } finally {
    await admin.close();
  }
}
