/**
 * Opens the configured store: its log, its views, and the right to write them. With main.ts the
 * only place that names implementations.
 *
 * Each kind of store is loaded only when it is asked for: a report from a file has no use for a
 * database driver.
 */

import type { OpenStoreOptions, Store } from './store.ts';
import type { StoreLocation } from './store-location.ts';

/**
 * Takes the right if it is free. Throws what a LedgerError can say (`store_missing` without the
 * right to make one, `store_too_new`, `store_unreachable`), and what the file system says.
 */
export async function openStore(
  location: StoreLocation,
  options: OpenStoreOptions,
): Promise<Store> {
  switch (location.kind) {
    case 'sqlite': {
      const { openSqliteStore } = await import('./sqlite/store.ts');
      return openSqliteStore(location.path, options);
    }
    case 'mongodb': {
      const { openMongodbStore } = await import('./mongodb/store.ts');
      return openMongodbStore(location.uri, options);
    }
  }
}

/**
 * The identity of the store there, read without the right to write; null where there is none yet.
 * Throws as `openStore` does.
 */
export async function readStoreIdAt(location: StoreLocation): Promise<string | null> {
  switch (location.kind) {
    case 'sqlite': {
      const { readSqliteStoreId } = await import('./sqlite/store.ts');
      return readSqliteStoreId(location.path);
    }
    case 'mongodb': {
      const { readMongodbStoreId } = await import('./mongodb/store.ts');
      return readMongodbStoreId(location.uri);
    }
  }
}
