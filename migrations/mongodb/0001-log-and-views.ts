/** The initial collections. Those of the views are created with each view. */
import { randomUUID } from 'node:crypto';
import type { Migration } from '../migration.ts';
import type { MongodbTarget } from './target.ts';

export const logAndViews: Migration<MongodbTarget> = {
  name: '0001-log-and-views',
  async up({ database, nowMs }) {
    await database
      .collection('events')
      .createIndex({ eventId: 1 }, { unique: true, name: 'event_id' });
    await database
      .collection('receipts')
      .createIndex({ source: 1, first: 1 }, { name: 'source_first' });
    const documents = [
      { _id: 'dead_letters', value: 0n },
      { _id: 'receipts', value: 0n },
      { _id: 'store', storeId: randomUUID(), createdAt: new Date(nowMs) },
      { _id: 'seal', epoch: 0n, seal: null },
    ];
    for (const document of documents)
      await database
        .collection<{ _id: string }>('meta')
        .insertOne(document)
        .catch(passOverDuplicate);
    await database
      .collection('view_generations')
      .createIndexes([{ key: { projection: 1, dropped: 1, _id: 1 } }]);
    await database.collection('view_commits').createIndexes([{ key: { generation: 1, from: 1 } }]);
  },
};

/** Existing documents stay unchanged. */
function passOverDuplicate(error: { readonly code?: unknown }): void {
  if (error.code !== 11_000) throw error;
}
