/**
 * Opens the SQLite file of a store; the log, views, tokens, checkpoints and migrations all use it.
 *
 * A missing file is created (mode 0600, its directory 0700), except when it is opened read-only.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@pi-ledger/core/machine/make-folder';
import { LedgerError } from '../../errors.ts';
import { expectFile } from './usable.ts';

export interface OpenFileOptions {
  readonly path: string;
  /** Requires the file to exist, and never writes to it. */
  readonly readOnly?: boolean;
  /** FULL: a commit survives power loss. NORMAL: a power loss may undo the last commits. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Page cache; the default of SQLite is 2,000 KiB. */
  readonly cacheKib?: number;
}

/** How long a statement waits for another process (a checkpoint, a backup). */
export const busyTimeoutMs = 5_000;

/**
 * Measured with events of 700 B: pages of 8 KiB and a checkpoint every 32 MiB make inserts 25 %
 * faster than the defaults of SQLite. The page size cannot change once there is a table.
 */
const pageBytes = 8_192;
const checkpointPages = 4_096;

/** Throws `store_missing`, `store_invalid`, and file system errors (no permission, disk full). */
export function openFile(options: OpenFileOptions): DatabaseSync {
  const { path, readOnly = false } = options;
  if (path !== ':memory:') expectFile(path);
  if (!readOnly) createFile(path);
  else if (!existsSync(path)) throw missing(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly });
  try {
    configure(database, options);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    throw isNotADatabase(error) ? invalid(path, error) : error;
  }
}

/**
 * SQLite would create the file with the umask of the process; `-wal` and `-shm` take the mode of
 * the file.
 */
function createFile(path: string): void {
  if (path === ':memory:') return;
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

function configure(
  database: DatabaseSync,
  { readOnly = false, synchronous = 'FULL', cacheKib }: OpenFileOptions,
): void {
  const pragmas = [
    ...(readOnly
      ? []
      : [`page_size = ${pageBytes}`, 'journal_mode = WAL', `synchronous = ${synchronous}`]),
    `wal_autocheckpoint = ${checkpointPages}`,
    ...(cacheKib === undefined ? [] : [`cache_size = -${cacheKib}`]),
  ];
  database.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(' '));
}

function missing(path: string): LedgerError {
  const message = `There is no store at ${path} yet: start a collector, or check the path.`;
  return new LedgerError('store_missing', { message });
}

function invalid(path: string, cause: unknown): LedgerError {
  const message =
    `${path} is not a pi-ledger store, or the start of the file is damaged: ` +
    'restore a backup, or choose another file.';
  return new LedgerError('store_invalid', { message, cause });
}

/** SQLITE_NOTADB */
function isNotADatabase(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 26;
}
