/** The database that a migration changes. */
import type { Db } from 'mongodb';

export interface MongodbContext {
  readonly database: Db;
  readonly nowMs: number;
}
