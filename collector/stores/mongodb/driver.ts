/** Ledgers in a MongoDB database. An address is a connection string. */
import type { StoreDriver } from '../driver.ts';
import { isMongodbAddress, nameOfAddress } from './address.ts';
import { isUnreachable } from './unreachable.ts';

export const mongodb: StoreDriver = {
  kind: 'mongodb',
  sizeOf: () => null,
  expected: 'mongodb:// (or mongodb+srv://) and an address',
  parse: (location) => (isMongodbAddress(location) ? location : undefined),
  nameOf: nameOfAddress,
  identityOf: nameOfAddress,
  directoriesOf: () => [],
  lease: { msMax: 20_000 },
  async open(uri, options) {
    const { openMongodbStore } = await import('./store.ts');
    return openMongodbStore(uri, options);
  },
  async openCells(uri, options) {
    const { openMongodbCells } = await import('./cells.ts');
    return openMongodbCells(uri, options);
  },
  async openToRead(uri) {
    const { openMongodbToRead } = await import('./to-read.ts');
    return openMongodbToRead(uri);
  },
  async readStoreId(uri) {
    const { readMongodbStoreId } = await import('./to-read.ts');
    return readMongodbStoreId(uri);
  },
  async migrate(uri, options) {
    const { migrateUnlocked } = await import('./migrate-unlocked.ts');
    return migrateUnlocked(uri, options);
  },
  /** The servers check their own files. */
  check: async () => [],
  findIds: async () => new Map(),
  isUnreachable,
};
