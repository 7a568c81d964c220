/** Migrates a MongoDB database that no collector is writing to, for `pi-ledger migrate`. */
import { hostname } from 'node:os';
import type { Db } from 'mongodb';
import { LedgerError } from '../../errors.ts';
import type { MigrateOptions } from '../driver.ts';
import type { Migrated } from '../run-migrations.ts';
import { nameOfAddress } from './address.ts';
import { readCellCount } from './cell-count.ts';
import { connectMongodb } from './connection.ts';
import { createLease, type Lease, readLeaseHolder, takeLease } from './lease.ts';
import { migrateMongodb } from './schema.ts';

export async function migrateUnlocked(
  uri: string,
  { dryRun, onError }: MigrateOptions,
): Promise<Migrated> {
  const { database, close } = await connectMongodb({ uri });
  try {
    const migrate = async (own: Db): Promise<Migrated> => {
      if (dryRun) return await migrateMongodb(own, { dryRun });
      const lease = await takeFreeLease(own, nameOfAddress(uri), onError);
      try {
        return await migrateMongodb(own);
      } finally {
        await lease.release();
      }
    };
    // The first cell's are those of all.
    const migrated = await migrate(database);
    const cells = await readCellCount(database);
    if (cells === 1) return migrated;
    const { cellDatabase } = await import('../../cells/mongodb/cell-database.ts');
    for (let cell = 1; cell < cells; cell += 1) await migrate(cellDatabase(database, cell));
    return migrated;
  } finally {
    await close();
  }
}

async function takeFreeLease(
  database: Db,
  store: string,
  onError: (error: unknown) => void,
): Promise<Lease> {
  await createLease(database);
  const holder = `${hostname()} ${process.pid} (migrate)`;
  const lease = await takeLease({ database, holder, onError });
  if (lease !== null) return lease;
  const writer = (await readLeaseHolder(database)) ?? 'about to stop';
  const message = `A collector is writing to ${store} (${writer}): stop it first.`;
  throw new LedgerError('store_locked', { message });
}
