/** Takes in what gateways handed on, while this worker leads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createCourt, type SettleClaims } from '../ingest/kafka/claims.ts';
import { createDoor, type DoorOptions, type TakeRecords } from '../ingest/kafka/door.ts';
import { ensureTopics, retentionDaysDefault } from '../ingest/kafka/ensure-topics.ts';
import { type Intake, lossOf } from '../ingest/kafka/intake.ts';
import type { ConsumeOptions, Consuming, Kafka, LostRecords } from '../ingest/kafka/kafka.ts';

export interface TakingInOptions extends DoorOptions {
  readonly kafka: Kafka;
  /** Workers of one ledger. */
  readonly group: string;
  /** The ledger has this many, a partition of the events each; one alone takes in all there are. */
  readonly cells: number;
  /** Which partitions of the events it has, and when it may take in from one: kafka.ts. */
  readonly consuming?: Pick<ConsumeOptions, 'onAssigned' | 'ready'>;
  /** It settles claims on owners, where there are several cells. */
  readonly settle?: SettleClaims;
  readonly intake: Intake;
  /** Something that people should know. */
  note(message: string): void;
}

const brokersAgainMs = 2_000;

export function startTakingIn(options: TakingInOptions): { stop(): Promise<void> } {
  const { kafka, group, topics, settle, intake, note } = options;
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
    const { events, deadLetters, claims } = topics;
    consumings.push(
      kafka.startConsuming({
        ...{ group, topics: [events, deadLetters], ...watched(group) },
        handle: watchedPlaces((onError) => createDoor({ ...options, onError })),
        ...options.consuming,
      }),
    );
    if (settle === undefined) return;
    // By a group of its own: it waits for what the other takes in.
    const { now } = options;
    consumings.push(
      kafka.startConsuming({
        ...{ group: `${group}.claims`, topics: [claims], ...watched(`${group}.claims`) },
        handle: watchedPlaces((onError) => createCourt({ settle, now, onError })),
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

/** Rejects where there is no partition for each cell. */
async function prepareTopics({ kafka, topics, cells, note }: TakingInOptions): Promise<void> {
  const admin = await kafka.openTopics();
  try {
    const wish = { ...topics, replication: null, retentionDays: retentionDaysDefault };
    for (const { topic, isNew, found, differences } of await ensureTopics(admin, {
      ...wish,
      partitions: cells,
    })) {
      if (isNew) note(`Created the topic ${topic}.`);
      if (topic !== topics.deadLetters && cells > 1)
        checkPartitions(topic, found?.partitions ?? 0, { cells, note });
      // The one store takes what all partitions have.
      const wrong = differences.filter((each) => found === null || !each.includes('partitions'));
      if (wrong.length > 0) note(`The topic ${topic}: ${wrong.join('; ')}.`);
    }
  } finally {
    await admin.close();
  }
}

function checkPartitions(
  topic: string,
  partitions: number,
  { cells, note }: Pick<TakingInOptions, 'cells' | 'note'>,
): void {
  const both = `The topic ${topic} has ${partitions} partitions, and the ledger ${cells} cells: `;
  if (partitions < cells) throw new Error(`${both}${tooFew}`);
  if (partitions > cells) note(`${both}${tooMany}`);
}

const tooFew =
  'nothing is taken in. Use another prefix, or copy the ledger to a store with as many cells.';
const tooMany = 'what is not in the partition of its cell takes the way through Kafka twice.';
