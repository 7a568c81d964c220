/** Brings the schema of a SQLite file up to date, or makes it. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Migration } from '../../../migrations/migration.ts';
import type { SqliteContext } from '../../../migrations/sqlite/context.ts';
import { sqliteMigrations } from '../../../migrations/sqlite/registry.ts';
import { LedgerError } from '../../errors.ts';
import { type Migrated, runMigrations } from '../run-migrations.ts';
import { appliedIn, applyMigration, hasTable, record } from './schema.ts';

export interface SqliteMigrationOptions {
  readonly path: string;
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => number;
  readonly migrations?: readonly Migration<SqliteContext>[];
}

const busyTimeoutMs = 5_000;
/** As log/sqlite-schema.ts has it: it cannot be changed once there is a table. */
const pageBytes = 8_192;

/**
 * Contract: the caller holds the store's lock. Throws `store_too_new`, `store_invalid`, and what
 * the file system and SQLite say.
 */
export async function migrateSqlite({
  path,
  dryRun = false,
  now = Date.now,
  migrations = sqliteMigrations,
}: SqliteMigrationOptions): Promise<Migrated> {
  if (dryRun && !existsSync(path))
    return { applied: [], pending: migrations.map(({ name }) => name) };
  const database = openDatabase(path, dryRun);
  const context = { database, nowMs: now() };
  try {
    return await runMigrations({
      store: path,
      migrations: migrations.map((migration) => ({
        name: migration.name,
        up: () => applyMigration(context, path, migration, migrations),
      })),
      context,
      // `applyMigration` has recorded it, in its own transaction.
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

function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  if (!readOnly) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  }
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (!readOnly)
      database.exec(
        `PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
      );
    return database;
  } catch (error) {
    database.close();
    if (isNotADatabase(error)) {
      const message = `${path} is not a store of pi-ledger, or its beginning is damaged: restore a backup, or name another file.`;
      throw new LedgerError('store_invalid', { message, cause: error });
    }
    throw error;
  }
}

/** SQLITE_NOTADB */
function isNotADatabase(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 26;
}
