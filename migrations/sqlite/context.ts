/** What a migration works on. */
import type { DatabaseSync } from 'node:sqlite';

export interface SqliteContext {
  readonly database: DatabaseSync;
  readonly nowMs: number;
}
