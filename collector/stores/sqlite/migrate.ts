/** Creates the schema of a SQLite file, or brings it up to date. */
import { existsSync } from 'node:fs';
import type { Migration } from '../../../migrations/migration.ts';
import { sqliteMigrations } from '../../../migrations/sqlite/registry.ts';
import type { SqliteTarget } from '../../../migrations/sqlite/target.ts';
import { type Migrated, runMigrations } from '../run-migrations.ts';
import { openFile } from './open-file.ts';
import { appliedIn, applyMigration, hasTable, record } from './schema.ts';

export interface SqliteMigrationOptions {
  readonly path: string;
  /** Reports the pending migrations and changes nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => number;
  readonly migrations?: readonly Migration<SqliteTarget>[];
}

/**
 * Contract: the caller holds the store's lock. Throws `store_too_new`, `store_invalid`, and errors
 * of the file system and SQLite.
 */
export async function migrateSqlite({
  path,
  dryRun = false,
  now = Date.now,
  migrations = sqliteMigrations,
}: SqliteMigrationOptions): Promise<Migrated> {
  if (dryRun && !existsSync(path))
    return { applied: [], pending: migrations.map(({ name }) => name) };
  const database = openFile({ path, readOnly: dryRun });
  const target = { database, nowMs: now() };
  try {
    return await runMigrations({
      store: path,
      migrations: migrations.map((migration) => ({
        name: migration.name,
        up: () => applyMigration(target, path, migration, migrations),
      })),
      target,
      // `applyMigration` records the migration in its own transaction.
      record: {
        read: async () => appliedIn(database, path, migrations),
        add: () => Promise.resolve(),
      },
      dryRun,
    });
  } finally {
    if (!dryRun && hasTable(database, 'meta') && !hasTable(database, 'schema'))
      record(database, appliedIn(database, path, migrations), now());
    database.close();
  }
}
