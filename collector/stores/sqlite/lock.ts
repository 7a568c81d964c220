/**
 * The writer lock of a store: one process at a time appends and folds.
 *
 * The lock is an exclusive transaction in a second SQLite file (`ledger.lock` beside `ledger.db`),
 * which is an advisory lock of the operating system: it ends with the process, even after kill -9.
 * No pid is compared and nothing goes stale. On network file systems without working locks it
 * protects as little as SQLite's own locks do.
 *
 * The lock applies to the file, not to the path: symbolic links are followed, and a file with
 * several hard links is refused, since SQLite keeps a separate write-ahead log for each name. A
 * single file mounted at two places (a container's volume) is not recognised as one: mount
 * directories.
 */
import { closeSync, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@pi-ledger/core/machine/make-folder';
import { LedgerError } from '../../errors.ts';
import { expectFile } from './usable.ts';

export interface StoreLock {
  release(): void;
}

/**
 * Returns null when another process (or this one) holds the lock. Throws `store_linked` for a file
 * with several hard links, `store_invalid` where something else than a file is, and file system
 * errors when the lock file cannot be created.
 */
export function lockStore(storePath: string): StoreLock | null {
  expectFile(storePath);
  makeFolder(dirname(storePath));
  const file = lockFile(storePath, linksMax);
  makeFolder(dirname(file));
  expectOneName(file);
  const path = lockPath(file);
  expectFile(path, 'Move it away: the lock of the store is to be there.');
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.close();
    },
  };
}

/** Keeps the connections referenced: garbage collection would close them, and release the lock. */
const held = new Set<DatabaseSync>();

export function lockPath(storePath: string): string {
  return `${storePath.replace(/\.db$/, '')}.lock`;
}

/** The same limit as in the kernel. */
const linksMax = 40;

/** The real path of the file, which need not exist yet; a link may lead to it. */
function lockFile(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || links === 0) throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink) return lockFile(resolve(dirname(path), readlinkSync(path)), links - 1);
  return dirname(path) === path ? path : join(lockFile(dirname(path), links), basename(path));
}

function expectOneName(file: string): void {
  const names = statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names <= 1) return;
  const message =
    `${file} has ${names} names (hard links), and another collector may be writing to it under ` +
    'another name. Keep one name: remove the other links, and where you need the file twice, ' +
    'copy it (`cp`).';
  throw new LedgerError('store_linked', { message });
}

/** SQLITE_BUSY */
function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 5;
}
