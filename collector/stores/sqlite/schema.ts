/**
 * The applied migrations of a SQLite file: a row each in the table `schema`, written in the
 * transaction of the migration.
 *
 * `log_schema_version` in `meta` is the number of the newest one. Programs from before migrations
 * read it, and refuse a newer number. A store that has only this number is treated as it says.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from '../../../migrations/migration.ts';
import { sqliteMigrations } from '../../../migrations/sqlite/registry.ts';
import type { SqliteTarget } from '../../../migrations/sqlite/target.ts';
import { LedgerError } from '../../errors.ts';
import { pendingAmong } from '../run-migrations.ts';

export type SqliteMigrations = readonly Migration<SqliteTarget>[];

const schemaTable =
  'CREATE TABLE IF NOT EXISTS schema ' +
  '(name TEXT PRIMARY KEY, applied_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID';

/**
 * Names of the applied migrations. Throws `store_invalid` for another program's file,
 * `store_too_new`.
 */
export function appliedIn(
  database: DatabaseSync,
  path: string,
  migrations: SqliteMigrations = sqliteMigrations,
): readonly string[] {
  if (hasTable(database, 'meta')) {
    const version = expectKnownVersion(database, path, migrations);
    if (!hasTable(database, 'schema'))
      return migrations
        .filter(({ name }) => migrationNumber(name) <= version)
        .map(({ name }) => name);
    const rows = database.prepare('SELECT name FROM schema ORDER BY name').all() as {
      name: string;
    }[];
    return rows.map(({ name }) => name);
  }
  if (hasTables(database)) {
    throw new LedgerError('store_invalid', {
      message: `${path} belongs to another program: choose another file.`,
    });
  }
  return [];
}

/** Throws as `appliedIn` does. */
export function pendingIn(
  database: DatabaseSync,
  path: string,
  migrations: SqliteMigrations = sqliteMigrations,
): string[] {
  return pendingAmong(migrations, appliedIn(database, path, migrations), path);
}

/**
 * Runs and records a migration in one transaction; does nothing when another process was faster.
 */
export function applyMigration(
  target: SqliteTarget,
  path: string,
  migration: Migration<SqliteTarget>,
  migrations: SqliteMigrations,
): void {
  const { database, nowMs } = target;
  database.exec('BEGIN IMMEDIATE');
  try {
    const applied = appliedIn(database, path, migrations);
    if (!applied.includes(migration.name)) {
      migration.up(target);
      record(database, [...applied, migration.name], nowMs);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Runs all migrations, for a new store. */
export function createSchema(target: SqliteTarget, path: string): void {
  for (const migration of sqliteMigrations)
    applyMigration(target, path, migration, sqliteMigrations);
}

/** Records the migrations that the store already had. */
export function record(database: DatabaseSync, applied: readonly string[], nowMs: number): void {
  database.exec(schemaTable);
  const insert = database.prepare(
    'INSERT INTO schema (name, applied_at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  for (const name of applied) insert.run(name, nowMs);
  const newest = Math.max(...applied.map(migrationNumber));
  database
    .prepare("UPDATE meta SET value = ? WHERE key = 'log_schema_version'")
    .run(String(newest));
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
    undefined
  );
}

function hasTables(database: DatabaseSync): boolean {
  const any = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return database.prepare(any).get() !== undefined;
}

export function notAStore(path: string): LedgerError {
  const message = `${path} is not a pi-ledger store: choose another file.`;
  return new LedgerError('store_invalid', { message });
}

function expectKnownVersion(
  database: DatabaseSync,
  path: string,
  migrations: SqliteMigrations,
): number {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'log_schema_version'").get() as
    | { value: string }
    | undefined;
  const version = Number(row?.value);
  if (!(version >= 1)) throw notAStore(path);
  const known = Math.max(...migrations.map(({ name }) => migrationNumber(name)));
  if (version <= known) return version;
  const message =
    `${path} has schema ${version}, but this version of pi-ledger only supports schemas up to ` +
    `${known}: update pi-ledger, or use another store.`;
  throw new LedgerError('store_too_new', { message });
}

function migrationNumber(name: string): number {
  return Number.parseInt(name, 10);
}
