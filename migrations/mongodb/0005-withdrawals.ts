/** Which events of the log are withdrawals, by their ids. */
import type { Migration } from '../migration.ts';
import type { MongodbTarget } from './target.ts';

export const withdrawals: Migration<MongodbTarget> = {
  name: '0005-withdrawals',
  async up({ database }) {
    await database.createCollection('withdrawals').catch(passOverExisting);
  },
};

function passOverExisting(error: { readonly code?: unknown }): void {
  if (error.code !== 48) throw error;
}
