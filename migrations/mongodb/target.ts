/** The database that a migration changes. */
import type { Db } from 'mongodb';

export interface MongodbTarget {
  readonly database: Db;
  readonly nowMs: number;
}
