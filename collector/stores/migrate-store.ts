/**
 * Brings the schema of the configured store up to date, for `pi-ledger migrate`. A collector does
 * the same when it starts, so this is for those who want to see what will happen, or to have it
 * done before.
 *
 * Each kind of store is loaded only when it is asked for.
 */
import { hostname } from 'node:os';
import { LedgerError } from '../errors.ts';
import type { Migrated } from './run-migrations.ts';
import { type StoreLocation, storeName } from './store-location.ts';

export interface MigrateStoreOptions {
  /** Says what would be done, and does nothing: also beside a running collector. */
  readonly dryRun: boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Throws `store_locked` while a collector runs on the store, `store_too_new`, `store_unreachable`,
 * `store_invalid`.
 */
export function migrateStore(
  location: StoreLocation,
  options: MigrateStoreOptions,
): Promise<Migrated> {
  return location.kind === 'sqlite'
    ? migrateFile(location.path, options)
    : migrateDatabase(location, options);
}

async function migrateFile(path: string, { dryRun }: MigrateStoreOptions): Promise<Migrated> {
  const { migrateSqlite } = await import('./sqlite/migrate.ts');
  if (dryRun) return migrateSqlite({ path, dryRun });
  const { lockStore } = await import('./sqlite/lock.ts');
  const lock = lockStore(path);
  if (lock === null)
    throw new LedgerError('store_locked', {
      message: `A collector writes to ${path}: stop it first.`,
    });
  try {
    return await migrateSqlite({ path });
  } finally {
    lock.release();
  }
}

async function migrateDatabase(
  location: StoreLocation & { kind: 'mongodb' },
  { dryRun, onError }: MigrateStoreOptions,
): Promise<Migrated> {
  const { connectMongodb } = await import('./mongodb/connection.ts');
  const { createLease, readLeaseHolder, takeLease } = await import('./mongodb/lease.ts');
  const { migrateMongodb } = await import('./mongodb/schema.ts');
  const { database, close } = await connectMongodb({ uri: location.uri });
  try {
    if (dryRun) return await migrateMongodb(database, { dryRun });
    await createLease(database);
    const lease = await takeLease({
      database,
      holder: `${hostname()} ${process.pid} (migrate)`,
      onError,
    });
    if (lease === null) {
      const message = `A collector writes to ${storeName(location)} (${(await readLeaseHolder(database)) ?? 'just ending'}): stop it first.`;
      throw new LedgerError('store_locked', { message });
    }
    try {
      return await migrateMongodb(database);
    } finally {
      await lease.release();
    }
  } finally {
    await close();
  }
}
