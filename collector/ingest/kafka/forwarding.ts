/**
 * The gateway's ingest: checks, attests and hands on to Kafka, for workers to append.
 *
 * Contract:
 * - `accept` resolves when Kafka has all of the batch on every in-sync replica: the events, and
 *   what was refused with its place in its producer's sequence. It rejects with
 *   `broker_unavailable` when that is not so within `acceptMsMax`: nothing is acknowledged then,
 *   and the same body can be sent again. Records may then be in Kafka twice; the log keeps each
 *   event once.
 * - Whether an event is known or expired only the log knows: the ack names both as unknown.
 * - Batches that arrive together share a send; one send is under way at a time. What waits is
 *   bounded, and beyond it senders are told to come again.
 */
import type { Ack, LedgerEvent } from '@pi-ledger/contract';
import { LedgerError } from '../../errors.ts';
import { createGroupCommit } from '../../log/group-commit.ts';
import type { AppendBatch, AppendResult } from '../../log/log.ts';
import { within } from '../../timers/within.ts';
import type { Ingest } from '../ingest.ts';
import { type Sender, someProducer } from '../sender.ts';
import {
  createBatchSorter,
  type RejectedEvent,
  sequencePlaces,
  toDeadLetter,
  toRejection,
} from '../sorted-batch.ts';
import type { OutgoingRecord, Producing } from './kafka.ts';
import { eventRecord, type Refused, refusedRecord, type Topics } from './records.ts';

export interface ForwardingOptions {
  readonly producing: Producing;
  readonly topics: Topics;
  /** Which partition of so many an event belongs to. */
  readonly partitionOf: (event: LedgerEvent, partitions: number) => number;
  readonly now: () => number;
  onError(error: unknown): void;
}

export interface Forwarding extends Pick<Ingest, 'accept'> {
  /**
   * Hands on what is checked already, as if to a log: resolves and rejects as `accept`. Whether the
   * log knows an event is not known, so none counts as a duplicate.
   */
  append(batch: AppendBatch): Promise<AppendResult>;
  /** Sends these with what waits; resolves and rejects as `accept`. */
  send(records: readonly OutgoingRecord[]): Promise<void>;
  /** Why Kafka cannot be written right now, as a sentence; null: it can. Asks the brokers. */
  trouble(): Promise<string | null>;
  /** Hands on what waits, then disconnects. */
  close(): Promise<void>;
}

/** Brokers refuse more than 1 MB for one partition by default; not every text can be packed. */
const sendBytesMax = 900_000;
const waitingBytesMax = 64 * 1024 * 1024;
/** Headers, lengths and offsets. */
const recordBytesMore = 64;
/** A sender gives up a little later. */
const acceptMsMax = 10_000;
const askMsMax = 2_000;
/** The number of partitions is asked for again after this, and after each failure. */
const partitionsKnownMsMax = 60_000;

export function createForwarding(options: ForwardingOptions): Forwarding {
  const { producing, topics, partitionOf, now, onError } = options;
  // Alone it must fit into a send: what no broker takes would be offered for ever.
  const sort = createBatchSorter({ moveBytesMax: sendBytesMax });
  const partitions = createPartitionCounts(producing, now);
  let failure: Error | null = null;
  const sends = createGroupCommit<readonly OutgoingRecord[], void>({
    weigh: (records) => records.reduce((sum, record) => sum + bytesOf(record), 0),
    groupWeightMax: sendBytesMax,
    waitingWeightMax: waitingBytesMax,
    async commit(items) {
      for (const records of chunksOf(items.flat())) await producing.send(records);
      return items.map(() => undefined);
    },
  });

  async function recordsOf({ events, texts, refused, receivedAtMs }: HandedOn) {
    const count = await partitions.of(topics.events);
    return [
      ...events.map((event, index) => {
        const text = texts?.[index] ?? JSON.stringify(event);
        const partition = partitionOf(event, count);
        return eventRecord(topics.events, partition, event, text, { receivedAtMs });
      }),
      ...refused.map((each) => refusedRecord(topics.deadLetters, 0, each, { receivedAtMs })),
    ];
  }

  async function forward(batch: HandedOn | readonly OutgoingRecord[]): Promise<void> {
    try {
      const records = 'events' in batch ? await recordsOf(batch) : batch;
      if (records.length > 0) await sends.add(records);
      failure = null;
    } catch (error) {
      if (failure === null) onError(error);
      failure = error as Error;
      partitions.forget();
      throw error;
    }
  }

  async function forwardInTime(batch: HandedOn | readonly OutgoingRecord[]): Promise<void> {
    const forwarded = forward(batch);
    const done = await within(acceptMsMax, forwarded).catch((cause: unknown) => {
      throw new LedgerError('broker_unavailable', { cause });
    });
    if (done !== 'timeout') return;
    forwarded.catch(() => undefined); // `failure` has it
    throw new LedgerError('broker_unavailable');
  }

  return {
    async accept(
      values,
      texts = values.map((value) => JSON.stringify(value) ?? ''),
      sender: Sender = someProducer,
    ): Promise<Ack> {
      const receivedAtMs = now();
      const sorted = sort(values, texts, receivedAtMs, () => sender);
      const refused = sorted.rejected.map(refusedOf);
      await forwardInTime({ events: sorted.events, texts: sorted.texts, refused, receivedAtMs });
      return {
        accepted: sorted.events.length,
        duplicates: 0,
        expired: 0,
        rejected: sorted.rejected.map(toRejection),
        unknown: ['duplicates', 'expired'],
      };
    },
    async append({ events, eventTexts, deadLetters, receivedAtMs }) {
      const refused = deadLetters.map((letter) => ({ letter, place: null }));
      await forwardInTime({ events, texts: eventTexts, refused, receivedAtMs });
      return { appended: events.length, duplicates: 0 };
    },
    send: (records) => forwardInTime(records),
    async trouble() {
      // What is known may be a minute old.
      partitions.forget();
      const asked = partitions.of(topics.events).then(() => {
        failure = null;
        return null;
      });
      const found = await within(askMsMax, asked).catch((error: Error) => error.message);
      if (found === null) return null;
      const why = found === 'timeout' ? 'no broker answers.' : found;
      return `Kafka cannot be written: ${why}`;
    },
    async close() {
      await sends.close();
      await producing.close();
    },
  };
}

interface HandedOn {
  readonly events: readonly LedgerEvent[];
  /** Their JSON, in the same order, if there is any. */
  readonly texts: readonly string[] | undefined;
  readonly refused: readonly Refused[];
  readonly receivedAtMs: number;
}

function refusedOf(rejected: RejectedEvent): Refused {
  return { letter: toDeadLetter(rejected), place: sequencePlaces([rejected])[0] ?? null };
}

function createPartitionCounts(producing: Producing, now: () => number) {
  let known: { readonly count: Promise<number>; readonly atMs: number } | null = null;
  return {
    async of(topic: string): Promise<number> {
      if (known === null || now() - known.atMs > partitionsKnownMsMax)
        known = { count: producing.partitionsOf(topic), atMs: now() };
      const asked = known;
      const count = await asked.count.catch((error: unknown) => {
        if (known === asked) known = null;
        throw error;
      });
      if (count > 0) return count;
      known = null;
      throw new Error(`There is no topic ${topic}: a worker or \`pi-ledger topics\` creates it.`);
    },
    forget(): void {
      known = null;
    },
  };
}

/** In order; a record that is too large by itself goes alone. */
function chunksOf(records: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const chunks: OutgoingRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const more = bytesOf(record);
    if (bytes + more > sendBytesMax) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(record);
    bytes += more;
  }
  return chunks;
}

/** At most, before compression. */
function bytesOf({ key, value }: OutgoingRecord): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value) + recordBytesMore;
}
