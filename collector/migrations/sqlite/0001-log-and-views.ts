/**
 * The tables as they were at first: the log's, and the list of the views' generations (each generation has tables of its own, made with it). Stores
 * from before there was a record of migrations are at this one.
 */
import { randomUUID } from 'node:crypto';
import type { Migration } from '../migration.ts';
import type { SqliteContext } from './context.ts';

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
  CREATE TABLE IF NOT EXISTS view_generations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    projection TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL DEFAULT '',
    shape TEXT NOT NULL,
    checkpoint INTEGER NOT NULL,
    live INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS view_generations_live ON view_generations (projection) WHERE live = 1;
`;

export const logAndViews: Migration<SqliteContext> = {
  name: '0001-log-and-views',
  up({ database, nowMs }) {
    database.exec(tables);
    const set = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    set.run('log_schema_version', '1');
    set.run('store_id', randomUUID());
    set.run('created_at_ms', String(nowMs));
  },
};
