/**
 * The list of the views' generations (views/sqlite-generations.ts) as every store has it from here
 * on. Programs from before migrations made the log's tables and this one apart, so a store of
 * theirs may lack it, and it had no `settings` at first: folded without any.
 */
import type { Migration } from '../migration.ts';
import type { SqliteContext } from './context.ts';

const table = `
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

export const viewGenerations: Migration<SqliteContext> = {
  name: '0004-view-generations',
  up({ database }) {
    database.exec(table);
    const settings = database
      .prepare("SELECT 1 FROM pragma_table_info('view_generations') WHERE name = 'settings'")
      .get();
    if (settings === undefined)
      database.exec("ALTER TABLE view_generations ADD COLUMN settings TEXT NOT NULL DEFAULT ''");
  },
};
