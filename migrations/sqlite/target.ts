/** The database that a migration changes. */
import type { DatabaseSync } from 'node:sqlite';

export interface MigrationTarget {
  readonly database: DatabaseSync;
  readonly nowMs: number;
}
