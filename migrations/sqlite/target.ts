/** The database that a migration changes. */
import type { DatabaseSync } from 'node:sqlite';

export interface SqliteTarget {
  readonly database: DatabaseSync;
  readonly nowMs: number;
}
