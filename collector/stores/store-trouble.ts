/**
 * Does an error say that the store could not be asked, so that the same question may be answered in
 * a moment? Told by names and codes, since whoever answers requests knows no technology. A query
 * that is wrong, or a damaged file, is none.
 */

/** Of MongoDB's driver: no connection, no server, no answer in time. */
const driverTroubles: ReadonlySet<string> = new Set([
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
 * Of a server: it is stepping down, starting, stopping, or was cut off from the others; it could
 * not reach a shard; time ran out; the cursor is gone.
 */
const serverTroubles: ReadonlySet<unknown> = new Set([
  6, 7, 43, 50, 63, 89, 91, 133, 189, 202, 234, 262, 9_001, 10_058, 10_107, 11_600, 11_602, 13_388,
  13_435, 13_436,
]);

/**
 * Of SQLite: busy, locked, no memory, no writing, input or output failed, full, not to be opened.
 */
const fileTroubles: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14]);

const causesMax = 4;

export function isStoreTrouble(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > causesMax) return false;
  const { name, code, errcode } = error as {
    readonly name: string;
    readonly code?: unknown;
    readonly errcode?: unknown;
  };
  if (driverTroubles.has(name)) return true;
  if (name.startsWith('Mongo') && serverTroubles.has(code)) return true;
  // The low byte is the kind, the rest says more of it.
  if (
    code === 'ERR_SQLITE_ERROR' &&
    typeof errcode === 'number' &&
    fileTroubles.has(errcode & 0xff)
  )
    return true;
  return isStoreTrouble(error.cause, depth + 1);
}
