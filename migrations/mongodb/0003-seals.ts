/**
 * The record of the current seal. Programs that do not know seals would fold a log without its
 * history.
 */
import type { Migration } from '../migration.ts';
import type { MongodbTarget } from './target.ts';

export const seals: Migration<MongodbTarget> = {
  name: '0003-seals',
  async up({ database }) {
    await database
      .collection<{ _id: string }>('meta')
      .insertOne({ _id: 'seal', epoch: 0n, seal: null } as { _id: string })
      .catch(passOverDuplicate);
  },
};

/** Existing documents stay unchanged. */
function passOverDuplicate(error: { readonly code?: unknown }): void {
  if (error.code !== 11_000) throw error;
}
