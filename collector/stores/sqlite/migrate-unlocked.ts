/** Migrates a SQLite file that no collector is writing to, for `pi-ledger migrate`. */
import { LedgerError } from '../../errors.ts';
import type { MigrateOptions } from '../driver.ts';
import type { Migrated } from '../run-migrations.ts';
import { lockStore } from './lock.ts';
import { migrateSqlite } from './migrate.ts';
import { explained, inWords } from './usable.ts';

export async function migrateUnlocked(
  path: string,
  { dryRun }: Pick<MigrateOptions, 'dryRun'>,
): Promise<Migrated> {
  if (dryRun) return migrateSqlite({ path, dryRun });
  const lock = explained(path, () => lockStore(path));
  if (lock === null) {
    const message = `A collector is writing to ${path}: stop it first.`;
    throw new LedgerError('store_locked', { message });
  }
  try {
    return await migrateSqlite({ path });
  } catch (error) {
    throw inWords(error, path);
  } finally {
    lock.release();
  }
}
