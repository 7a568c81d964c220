/** What a migration works on. */
import type { Db } from 'mongodb';

export interface MongodbContext {
  readonly database: Db;
  readonly nowMs: number;
}
