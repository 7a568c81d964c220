/** Ledgers in a SQLite file. An address is an absolute path. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { StoreDriver } from '../driver.ts';

const scheme = 'sqlite:';

/** Primary codes: busy, locked, no memory, read-only, I/O error, disk full, cannot open. */
const passingCodes: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);

export const sqlite: StoreDriver = {
  kind: 'sqlite',
  sizeOf(path) {
    const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    try {
      return bytesOf(path) + bytesOf(`${path}-wal`);
    } catch {
      return null;
    }
  },
  expected: 'sqlite: and an absolute path',
  parse(location) {
    const path = location.startsWith(scheme) ? location.slice(scheme.length) : '';
    return isAbsolute(path) ? path : undefined;
  },
  nameOf: (path) => path,
  /** Resolves symbolic links and relative segments. */
  identityOf: (path) => (existsSync(path) ? realpathSync(path) : resolve(path)),
  directoriesOf: (path) => [dirname(path)],
  lease: null,
  async open(path, options) {
    const { openSqliteStore } = await import('./store.ts');
    return openSqliteStore(path, options);
  },
  openCells: null,
  async openToRead(path) {
    const { openSqliteToRead } = await import('./to-read.ts');
    return openSqliteToRead(path);
  },
  async readStoreId(path) {
    const { readSqliteStoreId } = await import('./to-read.ts');
    return readSqliteStoreId(path);
  },
  async migrate(path, options) {
    const { migrateUnlocked } = await import('./migrate-unlocked.ts');
    return migrateUnlocked(path, options);
  },
  async check(path, max) {
    const { checkFile } = await import('./check-file.ts');
    return checkFile(path, max);
  },
  async findIds(path, positions) {
    const { idsFromIndex } = await import('./check-file.ts');
    return idsFromIndex(path, positions);
  },
  isUnreachable(error) {
    const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    // The low byte is the primary code; the rest is detail.
    return (
      code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && passingCodes.has(errcode & 0xff)
    );
  },
};
