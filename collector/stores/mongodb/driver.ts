/** Ledgers in a MongoDB database. An address is a connection string. */
import type { StoreDriver } from '../driver.ts';
import { isMongodbAddress, nameOfAddress } from './address.ts';

// Recognises errors of a MongoDB server that cannot be reached, by names and codes, so that the
// driver package need not be loaded. Pure.

/** Names of driver errors: no connection, no server, no answer in time. */
const driverErrors: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoExpiredSessionError',
  'NoAnswerError',
]);

/**
 * Codes of server errors: it is stepping down, starting, stopping or isolated; a shard is
 * unreachable; time ran out; the cursor is gone.
 */
const serverCodes: ReadonlySet<unknown> = new Set([
  6, 7, 43, 50, 63, 89, 91, 133, 189, 202, 234, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_388,
  13_435, 13_436,
]);

function isUnreachable(error: Error): boolean {
  const { name, code } = error as { readonly name: string; readonly code?: unknown };
  return driverErrors.has(name) || (name.startsWith('Mongo') && serverCodes.has(code));
}

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
    const { openMongodbParts } = await import('./parts.ts');
    return openMongodbParts(uri, options);
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
