/** The collections as they were at first. Those of the views themselves are made when a view is begun (views/mongodb-layout.ts). */
import { createLogCollections } from '../../log/mongodb-collections.ts';
import type { Migration } from '../migration.ts';
import type { MongodbContext } from './context.ts';

export const logAndViews: Migration<MongodbContext> = {
  name: '0001-log-and-views',
  async up({ database, nowMs }) {
    await createLogCollections(database, nowMs);
    await database.collection('view_generations').createIndexes([{ key: { projection: 1, dropped: 1, _id: 1 } }]);
    await database.collection('view_commits').createIndexes([{ key: { generation: 1, from: 1 } }]);
  },
};
