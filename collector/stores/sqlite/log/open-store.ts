/**
 * Opens a SQLite file with the log's tables.
 *
 * A new file gets the schema of the migrations. A file with a newer schema is refused: an older
 * program cannot know what it would break. So is a file with an older schema, which must be
 * migrated first (migrate.ts).
 */
import type { DatabaseSync } from 'node:sqlite';
import { outdated } from '../../run-migrations.ts';
import { openFile } from '../open-file.ts';
import { createSchema, hasTable, notAStore, pendingIn } from '../schema.ts';

export interface LogStore {
  readonly database: DatabaseSync;
  /** Random, drawn when the store was created; tells stores apart. */
  readonly storeId: string;
  readonly createdAtMs: number;
}

export interface LogStoreOptions {
  readonly path: string;
  /** Opens an existing store and never writes to it. */
  readonly readOnly?: boolean;
  readonly now: () => number;
}

/** Throws as `openFile` does, `store_too_new` and `store_outdated`. */
export function openLogStore({ path, readOnly = false, now }: LogStoreOptions): LogStore {
  const database = openFile({ path, readOnly });
  try {
    if (!readOnly && !hasTable(database, 'meta')) createSchema({ database, nowMs: now() }, path);
    return { database, ...readMeta(database, path) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function readMeta(database: DatabaseSync, path: string): { storeId: string; createdAtMs: number } {
  if (!hasTable(database, 'meta')) throw notAStore(path);
  const pending = pendingIn(database, path);
  if (pending.length > 0) throw outdated(path, pending);
  const rows = database.prepare('SELECT key, value FROM meta').all() as {
    key: string;
    value: string;
  }[];
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  return { storeId: meta.get('store_id') ?? '', createdAtMs: Number(meta.get('created_at_ms')) };
}
