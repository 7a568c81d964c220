/**
 * The initial tables of the log. Stores from before migrations were recorded are at this version.
 * The list of view generations, which such stores usually have, belongs to 0004.
 */
import { randomUUID } from 'node:crypto';
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    received_at_ms INTEGER NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE TABLE receipts (
    source TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (source, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    field TEXT NOT NULL,
    message TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;

export const logAndViews: Migration<SqliteTarget> = {
  name: '0001-log-and-views',
  up({ database, nowMs }) {
    database.exec(tables);
    const set = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    set.run('log_schema_version', '1');
    set.run('store_id', randomUUID());
    set.run('created_at_ms', String(nowMs));
  },
};
