/**
 * Which sequence numbers arrived from which producer, in MongoDB: one document per range.
 *
 * Kept right without transactions, whoever else writes: what counts is the union of all ranges; a
 * range only grows ($max), and one is removed only where a longer one that is written already
 * covers all of it. So any write may be done twice, late, or beside another.
 *
 * They are written after the events and before the ack. How far they have come in the log is noted
 * now and then (`checkpoint`), so that what a crash left out is made up for from the log's newest
 * events.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Receipt, SequencePlace } from '../../../log/log.ts';
import { joinRanges, rangesOf, type SequenceRange } from '../../../log/ranges.ts';
import { isDuplicateKey } from '../write-errors.ts';
import type { LogCollections, ReceiptDocument } from './collections.ts';

export interface MongodbReceipts {
  /**
   * Events without a sequence (imported ones) leave none. Rejects when the store failed; to record
   * the same again is harmless.
   */
  record(places: readonly SequencePlace[]): Promise<void>;
  /** Notes that the events up to this position are recorded. */
  checkpoint(position: number): Promise<void>;
  /** Records the events between the checkpoint and the head. */
  complete(head: number): Promise<void>;
  /** Of these sources, or of all. */
  read(sources?: readonly string[]): Promise<readonly Receipt[]>;
}

/**
 * Whose ranges are kept in memory; beyond it all are forgotten, and read again when they are
 * needed.
 */
const sourcesMax = 10_000;
/** Events of the log's tail in hand at once. */
const tailEventsMax = 5_000;
/**
 * So many events are recorded again at most, beside those of a group, when a collector takes over.
 */
const positionsBetweenCheckpoints = 2_000;

export function createMongodbReceipts({
  receipts,
  counters,
  events,
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
        const after = joinRanges([...before, ...rangesOf(sequences)]);
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
   * Of sources that had none: to insert them together costs a fraction of as many updates. What
   * somebody else has begun meanwhile grows.
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
            { _id: { $gt: BigInt(after) } },
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
        after = Number(last._id);
      }
      await checkpoint(head);
    },
    async read(sources) {
      const filter = sources === undefined ? {} : { source: { $in: [...sources] } };
      return bySource(await receipts.find(filter, { sort: { source: 1, first: 1 } }).toArray());
    },
  };
}

/** What makes the stored ranges cover `after`, where they covered `before`. */
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
    // Somebody else may have made it longer meanwhile: then it stays.
    ...covered.map(([first, last]) => ({
      deleteOne: { filter: { _id: idOf(source, first), last: { $lte: BigInt(last) } } },
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
  return { _id: idOf(source, first), source, first: BigInt(first), last: BigInt(last) };
}

function idOf(source: string, first: number): string {
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
