/**
 * The applied migrations of a MongoDB database: a document each in the collection `schema`.
 *
 * A migration and its document cannot be written in one step here, so a migration killed just
 * before it was recorded runs again.
 */

import type { Db } from 'mongodb';
import type { Migration } from '../../../migrations/migration.ts';
import { mongodbMigrations } from '../../../migrations/mongodb/registry.ts';
import type { MongodbTarget } from '../../../migrations/mongodb/target.ts';
import { LedgerError } from '../../errors.ts';
import {
  type Migrated,
  outdated,
  pendingAmong,
  runMigrations,
  type SchemaRecord,
} from '../run-migrations.ts';
import { isDuplicateKey } from './write-errors.ts';

export interface MongodbMigrationOptions {
  /** Reports the pending migrations and changes nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => number;
  readonly migrations?: readonly Migration<MongodbTarget>[];
}

interface Applied {
  /** The migration's name. */
  readonly _id: string;
  readonly appliedAt: Date;
}

const store = 'The database';

/** Contract: the caller has the lease, or no other process exists. Throws `store_too_new`. */
export function migrateMongodb(
  database: Db,
  options: MongodbMigrationOptions = {},
): Promise<Migrated> {
  const { dryRun = false, now = Date.now, migrations = mongodbMigrations } = options;
  return runMigrations({
    store,
    migrations,
    target: { database, nowMs: now() },
    record: recordIn(database, now),
    dryRun,
  });
}

/** For a process without the lease. Throws `store_missing`, `store_outdated` or `store_too_new`. */
export async function checkMongodbSchema(
  database: Db,
  migrations: readonly Migration<MongodbTarget>[] = mongodbMigrations,
): Promise<void> {
  const applied = await recordIn(database, Date.now).read();
  if (applied.length === 0)
    throw new LedgerError('store_missing', {
      message: 'There is no store in this database yet: start a collector to create it.',
    });
  const pending = pendingAmong(migrations, applied, store);
  if (pending.length > 0) throw outdated(store, pending);
}

function recordIn(database: Db, now: () => number): SchemaRecord {
  const schema = database.collection<Applied>('schema');
  return {
    read: async () => (await schema.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    async add(name) {
      try {
        await schema.insertOne({ _id: name, appliedAt: new Date(now()) });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}
