/** Subscribers' checkpoints in MongoDB: the collection `checkpoints`, one document each. */
import type { Db } from 'mongodb';
import type { Checkpoints } from '../../log/checkpoints.ts';
import { isDuplicateKey } from './write-errors.ts';

interface CheckpointDocument {
  /** The subscriber's name. */
  readonly _id: string;
  readonly position: bigint;
}

/** Contract: the database is migrated. The connection is the caller's, who closes it. */
export function openMongodbCheckpoints(database: Db): Checkpoints {
  const checkpoints = database.collection<CheckpointDocument>('checkpoints', {
    useBigInt64: true,
  });

  async function begin(name: string, position: bigint): Promise<'moved' | 'stale'> {
    try {
      await checkpoints.insertOne({ _id: name, position });
      return 'moved';
    } catch (error) {
      if (isDuplicateKey(error)) return 'stale';
      throw error;
    }
  }

  return {
    async read(name) {
      const found = await checkpoints.findOne({ _id: name });
      return found === null ? null : Number(found.position);
    },
    async move(name, from, to) {
      const position = BigInt(to);
      if (from === null) return begin(name, position);
      const { matchedCount } = await checkpoints.updateOne(
        { _id: name, position: BigInt(from) },
        { $set: { position } },
      );
      return matchedCount > 0 ? 'moved' : 'stale';
    },
    async drop(name) {
      await checkpoints.deleteOne({ _id: name });
    },
    async list() {
      const found = await checkpoints.find({}, { sort: { _id: 1 } }).toArray();
      return found.map(({ _id, position }) => ({ name: _id, position: Number(position) }));
    },
    close: async () => undefined,
  };
}
