/**
 * Dead letters in MongoDB. Ids are reserved from a counter before use: no id is given twice, even
 * with other writers, and removed ones never return. A crash in between leaves a gap.
 */
import { createBoundedList } from '../../../log/bounded-list.ts';
import type { AppendBatch, DeadLetter } from '../../../log/log.ts';
import type { LogCollections } from './collections.ts';

export interface MongodbDeadLetters {
  /** Adds the dead letters of these batches, in order. */
  add(batches: readonly AppendBatch[]): Promise<void>;
  read(after: number, limit: number, charsMax?: number): Promise<readonly DeadLetter[]>;
  remove(ids: readonly number[]): Promise<void>;
}

export function createMongodbDeadLetters({
  deadLetters,
  counters,
}: LogCollections): MongodbDeadLetters {
  /** The first of as many reserved ids. */
  async function reserve(count: number): Promise<bigint> {
    const counter = await counters.findOneAndUpdate(
      { _id: 'dead_letters' },
      { $inc: { value: BigInt(count) } },
      { returnDocument: 'after' },
    );
    if (counter === null) throw new Error('The counter of dead letters is missing.');
    return counter.value - BigInt(count) + 1n;
  }

  return {
    async add(batches) {
      const letters = batches.flatMap(({ receivedAtMs, deadLetters: refused }) =>
        refused.map(({ code, field, message, body }) => ({
          receivedAt: new Date(receivedAtMs),
          code,
          field,
          message,
          body,
        })),
      );
      if (letters.length === 0) return;
      const first = await reserve(letters.length);
      await deadLetters.insertMany(
        letters.map((letter, index) => ({ _id: first + BigInt(index), ...letter })),
      );
    },
    async read(after, limit, charsMax = Number.POSITIVE_INFINITY) {
      const list = createBoundedList<DeadLetter>(({ body }) => body.length, charsMax);
      const rows = deadLetters.find({ _id: { $gt: BigInt(after) } }, { sort: { _id: 1 }, limit });
      for await (const { _id, receivedAt, ...letter } of rows) {
        if (!list.add({ id: Number(_id), receivedAtMs: receivedAt.getTime(), ...letter })) break;
      }
      return list.items;
    },
    async remove(ids) {
      await deadLetters.deleteMany({ _id: { $in: ids.map(BigInt) } });
    },
  };
}
