/**
 * The tokens collection (collector/stores/mongodb/tokens.ts): each request looks up its token by
 * hash.
 */
import type { Migration } from '../migration.ts';
import type { MongodbTarget } from './target.ts';

export const tokens: Migration<MongodbTarget> = {
  name: '0002-tokens',
  async up({ database }) {
    await database.collection('tokens').createIndex({ hash: 1 }, { name: 'hash', unique: true });
  },
};
