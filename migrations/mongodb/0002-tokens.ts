/**
 * The collection of tokens (auth/mongodb-tokens.ts): each request is looked up by the hash of its
 * token.
 */
import type { Migration } from '../migration.ts';
import type { MongodbContext } from './context.ts';

export const tokens: Migration<MongodbContext> = {
  name: '0002-tokens',
  async up({ database }) {
    await database.collection('tokens').createIndex({ hash: 1 }, { name: 'hash', unique: true });
  },
};
