/** Subscribers' checkpoints in MongoDB: the collection `checkpoints`, one document each. */
import type { Db } from 'mongodb';
import { type Checkpoint, type Checkpoints, expectStateFits } from '../../log/checkpoints.ts';
import { isDuplicateKey } from './write-errors.ts';

interface CheckpointDocument {
  /** The subscriber's name. */
  readonly _id: string;
  readonly position: bigint;
  /** Absent: none so far. */
  readonly state?: string;
}

type Change = Omit<CheckpointDocument, '_id'>;

/** Contract: the database is migrated. The connection is the caller's, who closes it. */
export function openMongodbCheckpoints(database: Db): Checkpoints {
  const checkpoints = database.collection<CheckpointDocument>('checkpoints', {
    useBigInt64: true,
  });

  async function begin(name: string, change: Change): Promise<'moved' | 'stale'> {
    try {
      await checkpoints.insertOne({ _id: name, ...change });
      return 'moved';
    } catch (error) {
      if (isDuplicateKey(error)) return 'stale';
      throw error;
    }
  }

  return {
    async read(name) {
      const found = await checkpoints.findOne({ _id: name });
      return found === null ? null : toCheckpoint(found);
    },
    async move(name, from, to, state) {
      expectStateFits(name, state);
      const change = { position: BigInt(to), ...(state !== undefined && { state }) };
      if (from === null) return begin(name, change);
      const { matchedCount } = await checkpoints.updateOne(
        { _id: name, position: BigInt(from) },
        { $set: change },
      );
      return matchedCount > 0 ? 'moved' : 'stale';
    },
    async drop(name) {
      await checkpoints.deleteOne({ _id: name });
    },
    async list() {
      const found = await checkpoints.find({}, { sort: { _id: 1 } }).toArray();
      return found.map(toCheckpoint);
    },
    close: async () => undefined,
  };
}

function toCheckpoint({ _id, position, state }: CheckpointDocument): Checkpoint {
  return { name: _id, position: Number(position), state: state ?? null };
}
