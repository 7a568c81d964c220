/**
 * The writer lock of a store: one process at a time appends and folds.
 *
 * It is a second SQLite file beside the store (`ledger.lock` beside `ledger.db`), held in an
 * exclusive transaction: an advisory lock of the operating system, which ends with the process,
 * kill -9 included. No pid is compared, nothing goes stale. On network file systems without working
 * locks it protects as little as SQLite itself does there.
 *
 * Locked is the file and not the path by which it was asked for: links are followed, and a file
 * with several names (hard links) is refused, since SQLite keeps a write-ahead log for each of
 * them. A single file that is mounted at two places (a container's volume) is not seen to be one:
 * mount directories.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../../errors.ts';

export interface StoreLock {
  release(): void;
}

/**
 * Null when another process (or this one) holds it. Throws `store_linked` for a file that has
 * several names, and what the file system says when the lock file cannot be made: no permission,
 * disk full.
 */
export function lockStore(storePath: string): StoreLock | null {
  mkdirSync(dirname(storePath), { recursive: true, mode: 0o700 });
  const file = fileOf(storePath, linksMax);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  expectOneName(file);
  const path = lockPath(file);
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

/**
 * A connection that nobody refers to is closed by the collection of garbage, and its lock is gone
 * with it.
 */
const held = new Set<DatabaseSync>();

export function lockPath(storePath: string): string {
  return `${storePath.replace(/\.db$/, '')}.lock`;
}

/** As the kernel counts them before it gives up. */
const linksMax = 40;

/** Where the file is, or will be: a link may lead to one that is not there yet. */
function fileOf(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || links === 0) throw error;
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink) return fileOf(resolve(dirname(path), readlinkSync(path)), links - 1);
  return dirname(path) === path ? path : join(fileOf(dirname(path), links), basename(path));
}

function expectOneName(file: string): void {
  const names = statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names <= 1) return;
  const message = `${file} has ${names} names (hard links), and another collector may write to it by one of these. Keep one of them: copy the file (\`cp\`) where another is needed, and remove the link.`;
  throw new LedgerError('store_linked', { message });
}

/** SQLITE_BUSY */
function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === 5;
}
