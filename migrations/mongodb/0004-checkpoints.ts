/** The collection of subscribers' checkpoints, looked up by `_id`. */
import type { Migration } from '../migration.ts';
import type { MongodbTarget } from './target.ts';

export const checkpoints: Migration<MongodbTarget> = {
  name: '0004-checkpoints',
  async up({ database }) {
    await database.createCollection('checkpoints').catch(passOverExisting);
  },
};

function passOverExisting(error: { readonly code?: unknown }): void {
  if (error.code !== 48) throw error;
}
