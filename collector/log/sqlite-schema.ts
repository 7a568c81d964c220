/**
 * The log's tables in a SQLite file, and the settings that make a commit durable.
 *
 * A file that does not exist is created (mode 0600, its directory 0700). A file of a newer schema is refused: an older program cannot know
 * what it would break. The views keep tables of their own in the same file, under a version of their own.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../errors.ts';

const logSchemaVersion = 1;

export interface LogStore {
  readonly database: DatabaseSync;
  /** Drawn when the store was created; tells stores apart. */
  readonly storeId: string;
  readonly createdAtMs: number;
}

export interface LogStoreOptions {
  readonly path: string;
  /** Opens an existing store without ever writing to it. */
  readonly readOnly?: boolean;
  readonly now: () => number;
}

/** How long a statement waits for another process (a reader's checkpoint, a backup) before it gives up. */
const busyTimeoutMs = 5_000;

/** Measured with events of 700 B: pages of 8 KiB and a checkpoint every 32 MiB insert 25 % faster than SQLite's defaults. */
const pageBytes = 8_192;
const checkpointPages = 4_096;

const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    received_at_ms INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE TABLE receipts (
    source TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (source, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    field TEXT NOT NULL,
    message TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;

/** Throws `store_missing`, `store_invalid` or `store_too_new`, and what the file system says (no permission, disk full). */
export function openLogStore({ path, readOnly = false, now }: LogStoreOptions): LogStore {
  if (readOnly && !existsSync(path)) throw new LedgerError('store_missing', { message: `There is no store at ${path} yet.` });
  if (!readOnly) createFile(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
  try {
    configure(database, path, readOnly);
    if (!readOnly) createTables(database, path, now());
    return { database, ...readMeta(database, path) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite would create the file with the process' umask; its `-wal` and `-shm` then take the file's mode over. */
function createFile(path: string): void {
  if (path === ':memory:') return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function configure(database: DatabaseSync, path: string, readOnly: boolean): void {
  try {
    if (!readOnly) database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages};`);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    if (isNotADatabase(error)) throw new LedgerError('store_invalid', { message: `${path} is not a store of pi-ledger.`, cause: error });
    throw error;
  }
}

function createTables(database: DatabaseSync, path: string, nowMs: number): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (!hasTable(database, 'meta')) {
      if (hasTable(database, 'events')) throw new LedgerError('store_invalid', { message: `${path} belongs to another program.` });
      database.exec(tables);
      const set = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
      set.run('log_schema_version', String(logSchemaVersion));
      set.run('store_id', randomUUID());
      set.run('created_at_ms', String(nowMs));
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function readMeta(database: DatabaseSync, path: string): { storeId: string; createdAtMs: number } {
  if (!hasTable(database, 'meta')) throw new LedgerError('store_invalid', { message: `${path} is not a store of pi-ledger.` });
  const rows = database.prepare('SELECT key, value FROM meta').all() as { key: string; value: string }[];
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  const version = Number(meta.get('log_schema_version'));
  if (!(version >= 1)) throw new LedgerError('store_invalid', { message: `${path} is not a store of pi-ledger.` });
  if (version > logSchemaVersion) {
    const message = `${path} has schema ${version}, this version of pi-ledger knows ${logSchemaVersion}: update pi-ledger, or use another store.`;
    throw new LedgerError('store_too_new', { message });
  }
  return { storeId: meta.get('store_id') ?? '', createdAtMs: Number(meta.get('created_at_ms')) };
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** SQLITE_NOTADB */
function isNotADatabase(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 26;
}
