/** The meaning of refused writes, by code: messages and key patterns differ between servers. */
import { MongoBulkWriteError, MongoServerError } from 'mongodb';

/** True when only a unique key refused the write. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

/**
 * How many leading documents of an ordered insert were written before a unique key refused one;
 * null for any other error.
 */
export function insertedBeforeDuplicate(error: unknown): number | null {
  return isDuplicateKey(error) && error instanceof MongoBulkWriteError ? error.insertedCount : null;
}
