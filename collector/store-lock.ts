/**
 * The writer lock of a store: one process at a time appends and folds.
 *
 * It is a second SQLite file beside the store (`ledger.lock` beside `ledger.db`), held in an exclusive transaction: an advisory lock of the
 * operating system, which ends with the process, kill -9 included. No pid is compared, nothing goes stale. On network file systems without
 * working locks it protects as little as SQLite itself does there.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface StoreLock {
  release(): void;
}

/** Null when another process (or this one) holds it. Throws when the lock file cannot be made: no permission, disk full. */
export function lockStore(storePath: string): StoreLock | null {
  const path = lockPath(storePath);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

export function lockPath(storePath: string): string {
  return `${storePath.replace(/\.db$/, '')}.lock`;
}

/** SQLITE_BUSY */
function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 5;
}
