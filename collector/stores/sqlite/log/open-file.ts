/**
 * Opens a SQLite file with the log's tables, by the settings that make a commit durable.
 *
 * A file that does not exist is created (mode 0600, its directory 0700), with the schema that the
 * migrations make. A file of a newer schema is refused: an older program cannot know what it would
 * break. So is one of an older schema, which is to be migrated first (stores/sqlite/).
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../../errors.ts';
import { outdated } from '../../run-migrations.ts';
import { createSchema, hasTable, pendingIn } from '../schema.ts';

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

/**
 * How long a statement waits for another process (a reader's checkpoint, a backup) before it gives
 * up.
 */
const busyTimeoutMs = 5_000;

/**
 * Measured with events of 700 B: pages of 8 KiB and a checkpoint every 32 MiB insert 25 % faster
 * than SQLite's defaults.
 */
const pageBytes = 8_192;
const checkpointPages = 4_096;

/**
 * Throws `store_missing`, `store_invalid`, `store_too_new` or `store_outdated`, and what the file
 * system says (no permission, disk full).
 */
export function openLogStore({ path, readOnly = false, now }: LogStoreOptions): LogStore {
  if (readOnly && !existsSync(path))
    throw new LedgerError('store_missing', { message: `There is no store at ${path} yet.` });
  if (!readOnly) createFile(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
  try {
    configure(database, path, readOnly);
    if (!readOnly && !hasTable(database, 'meta')) createSchema({ database, nowMs: now() }, path);
    return { database, ...readMeta(database, path) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * SQLite would create the file with the process' umask; its `-wal` and `-shm` then take the file's
 * mode over.
 */
function createFile(path: string): void {
  if (path === ':memory:') return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function configure(database: DatabaseSync, path: string, readOnly: boolean): void {
  try {
    if (!readOnly)
      database.exec(
        `PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
      );
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages};`);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    if (isNotADatabase(error)) {
      const message = `${path} is not a store of pi-ledger, or its beginning is damaged: restore a backup, or name another file.`;
      throw new LedgerError('store_invalid', { message, cause: error });
    }
    throw error;
  }
}

function readMeta(database: DatabaseSync, path: string): { storeId: string; createdAtMs: number } {
  if (!hasTable(database, 'meta'))
    throw new LedgerError('store_invalid', { message: `${path} is not a store of pi-ledger.` });
  const pending = pendingIn(database, path);
  if (pending.length > 0) throw outdated(path, pending);
  const rows = database.prepare('SELECT key, value FROM meta').all() as {
    key: string;
    value: string;
  }[];
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  return { storeId: meta.get('store_id') ?? '', createdAtMs: Number(meta.get('created_at_ms')) };
}

/** SQLITE_NOTADB */
function isNotADatabase(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 26;
}
