/**
 * Sequence numbers received from each producer, in MongoDB: one document per range.
 *
 * Correct without transactions and beside other writers: the union of all ranges counts; a range
 * only grows ($max), and is removed only when a stored longer one covers it. So every write may be
 * repeated, late, or concurrent.
 *
 * Receipts are written after the events and before the ack. A `checkpoint` notes from time to time
 * how far they are complete, so that the newest events of the log make up for what a crash left
 * out.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Receipt, SequencePlace } from '../../../log/log.ts';
import { joinRanges, type SequenceRange, toRanges } from '../../../log/ranges.ts';
import { isDuplicateKey } from '../write-errors.ts';
import type { LogCollections, ReceiptDocument } from './collections.ts';

export interface MongodbReceipts {
  /**
   * Events without a sequence number (imported ones) leave no receipt. Rejects when the store
   * fails; recording them again is harmless.
   */
  record(places: readonly SequencePlace[]): Promise<void>;
  /** Notes that all events up to this position are recorded. */
  checkpoint(position: number): Promise<void>;
  /** Records the events between the checkpoint and the head. */
  complete(head: number): Promise<void>;
  /** Reads those of these sources, or all. */
  read(sources?: readonly string[]): Promise<readonly Receipt[]>;
}

/**
 * Sources whose ranges are kept in memory; at the limit all are dropped, and read again when
 * needed.
 */
const sourcesMax = 10_000;
/** Events of the log's tail held at once. */
const tailEventsMax = 5_000;
/** At a take-over at most this many events are recorded again, beside those of one group. */
const positionsBetweenCheckpoints = 2_000;

export function createMongodbReceipts({
  receipts,
  counters,
  events,
  positions,
}: LogCollections): MongodbReceipts {
  const known = new Map<string, readonly SequenceRange[]>();
  let checkpointed = 0;

  async function load(sources: readonly string[]): Promise<void> {
    if (known.size + sources.length > sourcesMax) known.clear();
    const missing = sources.filter((source) => !known.has(source));
    if (missing.length === 0) return;
    const stored = bySource(await receipts.find({ source: { $in: missing } }).toArray());
    for (const source of missing) known.set(source, []);
    for (const { source, ranges } of stored) known.set(source, ranges);
  }

  async function record(places: readonly SequencePlace[]): Promise<void> {
    const arrived = sequencesBySource(places);
    if (arrived.size === 0) return;
    try {
      await load([...arrived.keys()]);
      const begun: ReceiptDocument[] = [];
      const operations: AnyBulkWriteOperation<ReceiptDocument>[] = [];
      for (const [source, sequences] of arrived) {
        const before = known.get(source) ?? [];
        const after = joinRanges([...before, ...toRanges(sequences)]);
        if (before.length === 0) begun.push(...after.map((range) => toDocument(source, range)));
        else operations.push(...changes(source, before, after));
        known.set(source, after);
      }
      await begin(begun);
      if (operations.length > 0) await receipts.bulkWrite(operations, { ordered: true });
    } catch (error) {
      known.clear();
      throw error;
    }
  }

  /**
   * Inserts ranges of new sources: one insert of many costs a fraction of as many updates. A range
   * that another process began meanwhile grows.
   */
  async function begin(documents: readonly ReceiptDocument[]): Promise<void> {
    if (documents.length === 0) return;
    try {
      await receipts.insertMany(documents, { ordered: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await receipts.bulkWrite(documents.map(growth), { ordered: true });
    }
  }

  async function checkpoint(position: number): Promise<void> {
    await counters.updateOne({ _id: 'receipts' }, { $max: { value: BigInt(position) } });
    checkpointed = position;
  }

  return {
    record,
    async checkpoint(position) {
      if (position - checkpointed >= positionsBetweenCheckpoints) await checkpoint(position);
    },
    async complete(head) {
      known.clear();
      const counter = await counters.findOne({ _id: 'receipts' });
      for (let after = Number(counter?.value ?? 0n); after < head; ) {
        const tail = await events
          .find(
            { _id: positions.after(after) },
            {
              projection: { source: 1, sequence: 1 },
              sort: { _id: 1 },
              limit: tailEventsMax,
              batchSize: tailEventsMax,
            },
          )
          .toArray();
        const last = tail.at(-1);
        if (last === undefined) break;
        await record(
          tail.map(({ source, sequence }) => ({
            source,
            ...(sequence === undefined ? {} : { sequence: String(sequence) }),
          })),
        );
        after = positions.positionOf(last._id);
      }
      await checkpoint(head);
    },
    async read(sources) {
      const filter = sources === undefined ? {} : { source: { $in: [...sources] } };
      return bySource(await receipts.find(filter, { sort: { source: 1, first: 1 } }).toArray());
    },
  };
}

/** The writes that extend the stored ranges from `before` to `after`. */
function changes(
  source: string,
  before: readonly SequenceRange[],
  after: readonly SequenceRange[],
): AnyBulkWriteOperation<ReceiptDocument>[] {
  const stored = new Map(before);
  const kept = new Map(after);
  const grown = after.filter(([first, last]) => stored.get(first) !== last);
  const covered = before.filter(([first]) => !kept.has(first));
  return [
    ...grown.map((range) => growth(toDocument(source, range))),
    // Another process may have extended it meanwhile; then it stays.
    ...covered.map(([first, last]) => ({
      deleteOne: { filter: { _id: receiptId(source, first), last: { $lte: BigInt(last) } } },
    })),
  ];
}

function growth({
  _id,
  source,
  first,
  last,
}: ReceiptDocument): AnyBulkWriteOperation<ReceiptDocument> {
  return {
    updateOne: {
      filter: { _id },
      update: { $max: { last }, $setOnInsert: { source, first } },
      upsert: true,
    },
  };
}

function toDocument(source: string, [first, last]: SequenceRange): ReceiptDocument {
  return { _id: receiptId(source, first), source, first: BigInt(first), last: BigInt(last) };
}

function receiptId(source: string, first: number): string {
  return `${first} ${source}`;
}

function sequencesBySource(places: readonly SequencePlace[]): Map<string, number[]> {
  const sequenced = places.filter(({ sequence }) => sequence !== undefined);
  const groups = Map.groupBy(sequenced, ({ source }) => source);
  return new Map(
    [...groups].map(([source, group]) => [source, group.map(({ sequence }) => Number(sequence))]),
  );
}

function bySource(rows: readonly ReceiptDocument[]): Receipt[] {
  const groups = Map.groupBy(rows, ({ source }) => source);
  return [...groups].map(([source, group]) => ({
    source,
    ranges: joinRanges(group.map(({ first, last }) => [Number(first), Number(last)] as const)),
  }));
}
