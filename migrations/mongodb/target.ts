/** The database that a migration changes. */
import type { Db } from 'mongodb';

export interface MigrationTarget {
  readonly database: Db;
  readonly nowMs: number;
}
