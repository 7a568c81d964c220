/** The record of the seal in force (log/mongodb-history.ts). Programs that do not know seals would fold a log without its history. */
import { isDuplicateKey } from '../../mongodb/write-errors.ts';
import type { Migration } from '../migration.ts';
import type { MongodbContext } from './context.ts';

export const seals: Migration<MongodbContext> = {
  name: '0003-seals',
  async up({ database }) {
    try {
      await database.collection<{ _id: string; epoch: bigint; seal: null }>('meta').insertOne({ _id: 'seal', epoch: 0n, seal: null });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  },
};
