/**
 * The generations of views in a MongoDB database: a document each in `view_generations`, and in
 * `views`, per projection, which generation is live and which is being built.
 *
 * Each method is a read or one atomic change of one document. The number of a generation is drawn
 * from `counters` and never reused, and its document stays after the drop: a suspended process that
 * still writes for it cannot be mistaken for another.
 */
import type { Collection, Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import { isDuplicateKey } from '../write-errors.ts';
import { describeShape, listCollections, type Pointer, pointerCollection } from './layout.ts';

export interface StoredGeneration {
  readonly _id: number;
  readonly projection: string;
  readonly version: number;
  readonly settings: string;
  readonly shape: string;
  readonly collections: readonly string[];
  readonly begunAt: Date;
  readonly dropped: boolean;
  readonly checkpoint: bigint;
  /** A commit that is decided but perhaps not applied: whoever sees it applies it first. */
  readonly pending: Pending | null;
  /** Upper bound of the measures of all rows, by absolute value; without meaning beyond 2^62. */
  readonly amountsMax: bigint;
}

export interface Pending {
  readonly commit: string;
  readonly to: bigint;
  /** The id of its redo record. */
  readonly chunks: number;
}

export interface GenerationClaim {
  readonly generation: number;
  readonly from: bigint;
  readonly pending: Pending;
  /**
   * The largest measure in the commit by absolute value; null: the rows were checked, and all sums
   * fit.
   */
  readonly amountMax: bigint | null;
}

export interface MongodbGenerations {
  pointer(projection: Projection): Promise<Pointer | null>;
  /** Resolves to null when it belongs to another projection or shape, or was dropped. */
  byId(projection: Projection, id: number): Promise<StoredGeneration | null>;
  create(projection: Projection, checkpoint: number): Promise<StoredGeneration>;
  /** The number of the generation that was being built before. */
  setBuilding(projection: Projection, id: number): Promise<number | null>;
  /** The number of the previous live generation; `stale` when this one is no longer being built. */
  setLive(
    projection: Projection,
    id: number,
  ): Promise<{ readonly before: number | null } | 'stale'>;
  /** False when the checkpoint has moved, another commit is pending, or amounts might not fit. */
  claim(projection: Projection, claim: GenerationClaim): Promise<boolean>;
  /** False when another process has settled it. */
  settle(id: number, pending: Pending): Promise<boolean>;
  markDropped(id: number): Promise<void>;
  /** Generations older than the live one that are not yet marked as dropped. */
  leftBehind(projection: Projection, live: number): Promise<readonly number[]>;
  dropped(projection: Projection): Promise<readonly StoredGeneration[]>;
}

/** With larger rows, each commit reads the rows that it adds to. */
const amountsMaxKnown = 2n ** 62n;
/** How many dropped generations are checked again for late writes. */
const droppedMax = 20;
const counterId = 'view_generations';

interface Counter {
  readonly _id: string;
  readonly last: number;
}

export function createMongodbGenerations(database: Db, now: () => number): MongodbGenerations {
  const generations: Collection<StoredGeneration> = database.collection('view_generations', {
    useBigInt64: true,
  });
  const pointers = pointerCollection(database);
  const counters = database.collection<Counter>('counters');

  return {
    pointer: ({ name }) => pointers.findOne({ _id: name }),
    byId: (projection, id) =>
      generations.findOne({
        _id: id,
        projection: projection.name,
        shape: describeShape(projection),
        dropped: false,
      }),
    async create(projection, checkpoint) {
      const created: StoredGeneration = {
        _id: await nextNumber(counters),
        projection: projection.name,
        version: projection.version,
        settings: projection.settings,
        shape: describeShape(projection),
        collections: listCollections(projection),
        begunAt: new Date(now()),
        dropped: false,
        checkpoint: BigInt(checkpoint),
        pending: null,
        amountsMax: 0n,
      };
      await generations.insertOne(created);
      return created;
    },
    async setBuilding({ name }, building) {
      await insertOnce(pointers, { _id: name, live: null, liveShape: null, building: null });
      const before = await pointers.findOneAndUpdate({ _id: name }, { $set: { building } });
      return before?.building ?? null;
    },
    async setLive(projection, live) {
      const change = { $set: { live, liveShape: describeShape(projection), building: null } };
      const before = await pointers.findOneAndUpdate(
        { _id: projection.name, building: live },
        change,
      );
      if (before !== null) return { before: before.live };
      const isLive = (await pointers.findOne({ _id: projection.name }))?.live === live;
      return isLive ? { before: null } : 'stale';
    },
    async claim(projection, { generation, from, pending, amountMax }) {
      if (amountMax !== null && amountMax > amountsMaxKnown) return false;
      const fits = amountMax === null ? {} : { amountsMax: { $lte: amountsMaxKnown - amountMax } };
      const filter = {
        _id: generation,
        projection: projection.name,
        shape: describeShape(projection),
        dropped: false,
        checkpoint: from,
      };
      const change =
        amountMax === null
          ? { $set: { pending, amountsMax: amountsMaxKnown + 1n } }
          : { $set: { pending }, $inc: { amountsMax: amountMax } };
      const claimed = await generations.updateOne({ ...filter, pending: null, ...fits }, change);
      return claimed.modifiedCount === 1;
    },
    async settle(id, { commit, to }) {
      const settled = await generations.updateOne(
        { _id: id, 'pending.commit': commit },
        { $set: { checkpoint: to, pending: null } },
      );
      return settled.modifiedCount === 1;
    },
    async markDropped(id) {
      await generations.updateOne({ _id: id }, { $set: { dropped: true, pending: null } });
    },
    async leftBehind({ name }, live) {
      const older = await generations
        .find({ projection: name, dropped: false, _id: { $lt: live } })
        .toArray();
      return older.map(({ _id }) => _id);
    },
    dropped: ({ name }) =>
      generations
        .find({ projection: name, dropped: true })
        .sort({ _id: -1 })
        .limit(droppedMax)
        .toArray(),
  };
}

/**
 * An update without upsert: with an upsert, two processes at the first number would get an error on
 * some servers.
 */
async function nextNumber(counters: Collection<Counter>): Promise<number> {
  await insertOnce(counters, { _id: counterId, last: 0 });
  const counter = await counters.findOneAndUpdate(
    { _id: counterId },
    { $inc: { last: 1 } },
    { returnDocument: 'after' },
  );
  if (counter === null) throw new Error('The counter of generations is missing.');
  return counter.last;
}

async function insertOnce<Document extends { readonly _id: string }>(
  collection: Collection<Document>,
  document: Document,
): Promise<void> {
  const known = await collection.findOne({ _id: document._id } as never);
  if (known !== null) return;
  try {
    await collection.insertOne(document as never);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
