/**
 * What a refused write means, told by its code: messages and key patterns differ between servers.
 */
import { MongoBulkWriteError, MongoServerError } from 'mongodb';

/** Nothing but a unique key stood in the way. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

/**
 * How many leading documents of an ordered insert were written before a unique key refused one;
 * null when something else went wrong.
 */
export function insertedBeforeDuplicate(error: unknown): number | null {
  return isDuplicateKey(error) && error instanceof MongoBulkWriteError ? error.insertedCount : null;
}
